"""What travels between the host and a worker: an evaluator with its subject, and an outcome."""

import importlib
import importlib.util
import pickle
import sys
from dataclasses import dataclass
from typing import Any

from assay.evaluators.errors import EvaluatorError, classify, describe, retry_after_of
from assay.evaluators.evaluator import Evaluator
from assay.evaluators.outcome import Given, Outcome, Raised

_ADVICE = (
    "define the evaluator at the top level of a module that can be imported, "
    "or leave out isolation='process'"
)


@dataclass(frozen=True, slots=True)
class Errand:
    """One call of an evaluator, in a form that any interpreter can read.

    Attributes:
        evaluator: Pickled.
        subject: Pickled.
        identity: Of the evaluator, as the host knows it.
        files: Where the evaluator's modules stand, for those that are no import away.
        seconds: The time limit, or None.
    """

    evaluator: bytes
    subject: bytes
    identity: str
    files: dict[str, str]
    seconds: float | None

    @classmethod
    def pack(cls, evaluator: Evaluator[object], subject: object, seconds: float | None) -> "Errand":
        """The errand.

        Raises:
            EvaluatorError: `unsupported`, when evaluator or subject cannot travel.
        """
        files = _files_of(evaluator)
        return cls(
            evaluator=_pickled(evaluator, "the evaluator"),
            subject=_pickled(subject, "what it looks at"),
            identity=evaluator.descriptor.identity,
            files=files,
            seconds=seconds,
        )

    def unpack(self) -> tuple[Evaluator[object], object]:
        """Evaluator and subject, in the worker.

        Raises:
            EvaluatorError: `unsupported`, when the worker cannot make them; `identity_mismatch`
                when the evaluator's source is not what the host loaded.
        """
        try:
            for module, file in self.files.items():
                _import(module, file)
            evaluator: Evaluator[object] = pickle.loads(self.evaluator)  # noqa: S301 - the host's
            subject: object = pickle.loads(self.subject)  # noqa: S301 - the host's
        except BaseException as error:
            msg = f"a worker process cannot load the evaluator ({describe(error)}): {_ADVICE}"
            raise EvaluatorError("unsupported", msg) from error
        if evaluator.descriptor.identity != self.identity:
            msg = "the evaluator's source was changed since the run began"
            raise EvaluatorError("identity_mismatch", msg)
        return evaluator, subject


def _files_of(evaluator: Evaluator[object]) -> dict[str, str]:
    names = _modules_of(evaluator)
    if "__main__" in names:
        msg = f"a worker process cannot import from the program itself: {_ADVICE}"
        raise EvaluatorError("unsupported", msg)
    modules = {name: getattr(sys.modules.get(name), "__file__", None) for name in names}
    return {name: file for name, file in modules.items() if isinstance(file, str)}


def _modules_of(evaluator: object) -> set[str]:
    function = getattr(evaluator, "function", None)
    names = {getattr(one, "__module__", "") or "" for one in (type(evaluator), function)}
    for part in getattr(evaluator, "parts", ()):
        names |= _modules_of(part)
    return names


def _import(module: str, file: str) -> None:
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        if not f"{module}.".startswith(f"{error.name}."):
            raise
        _import_file(module, file)


def _import_file(module: str, file: str) -> None:
    spec = importlib.util.spec_from_file_location(module, file)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(module, name=module)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[module] = loaded
    spec.loader.exec_module(loaded)


def _pickled(value: object, what: str) -> bytes:
    try:
        return pickle.dumps(value)
    except BaseException as error:
        msg = f"{what} cannot be sent to a worker process ({describe(error)}): {_ADVICE}"
        raise EvaluatorError("unsupported", msg) from error


def pack_outcome(outcome: Outcome[object]) -> bytes:
    """The outcome, for the host: what cannot travel becomes an error that says so."""
    if isinstance(outcome, Raised):
        return pickle.dumps(Raised(_portable(outcome.error)))
    try:
        return pickle.dumps(outcome)
    except BaseException as error:  # noqa: BLE001 - a foreign object's pickling may raise anything
        msg = f"the answer cannot leave the worker process: {describe(error)}"
        return pickle.dumps(Raised(EvaluatorError("invalid_report", msg)))


def unpack_outcome(packed: bytes) -> Outcome[object]:
    """What the worker's evaluator gave or raised."""
    outcome: Any = pickle.loads(packed)  # noqa: S301 - the answer of a worker that we started
    if isinstance(outcome, Given | Raised):
        return outcome
    msg = "the worker process gave no outcome"
    raise EvaluatorError("internal", msg)


def _portable(error: BaseException) -> BaseException:
    """The error itself if it survives the journey, else one of equal class and words."""
    try:
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - what was pickled just now
        if type(copy) is type(error) and describe(copy) == describe(error):
            return error
    except BaseException:  # noqa: BLE001, S110 - then it does not survive
        pass
    return EvaluatorError(classify(error), describe(error), retry_after=retry_after_of(error))
