"""The evaluator that an entry of a suite asks for, configured and checked."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from assay.evaluators import registry
from assay.evaluators.composite import Component, Composite
from assay.evaluators.errors import AssayError, InputError
from assay.evaluators.evaluator import Evaluator
from assay.evaluators.function import FunctionEvaluator
from assay.evaluators.projection import Projection
from assay.evaluators.ready_made import ReadyMade
from assay.evaluators.sample import Sample
from assay.evaluators.selection import Selection
from assay.tasks.documents.places import KeyPath, bounded, bounded_reason, key_path
from assay.tasks.load_import import load_import
from assay.tasks.settings.suite_entry import COMPOSITE, ComponentEntry, EvaluatorEntry

KIND = "suite"
"""The kind that errors about suites carry."""


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """Where an entry stands, and where its import strings resolve from.

    Attributes:
        folder: The folder that import strings resolve from first.
        path: The way from the top of the document to the entry.
        place: Says where a path of the document stands in the file.
    """

    folder: Path
    path: KeyPath
    place: Callable[[KeyPath], str]

    def below(self, *steps: str | int) -> "EntryPlace":
        """The place of a part of the entry."""
        return EntryPlace(self.folder, (*self.path, *steps), self.place)

    def refusal(self, message: str) -> InputError:
        """The error that says what is wrong here."""
        return InputError(
            f"{key_path(self.path)}: {message}", place=self.place(self.path), kind=KIND
        )


def build_evaluator(entry: EvaluatorEntry, at: EntryPlace) -> Evaluator[object]:
    """The evaluator of an entry, with its settings, and looking at what it selects.

    Raises:
        InputError: there is no such evaluator, or a setting is unknown, missing or of a wrong type;
            the message names the place and what is valid.
    """
    if entry.use == COMPOSITE:
        evaluator = _composite(entry, at)
    else:
        evaluator = _configured(_found(entry, at), entry, at)
    if entry.select is None:
        return evaluator
    _require_one_output(evaluator, at.below("select"))
    try:
        selection = Selection.parse(entry.select)
        projection = Projection(
            evaluator, cast("Callable[[object], Sample]", selection), name=entry.select
        )
    except AssayError as error:
        raise at.below("select").refusal(str(error)) from error
    return cast("Evaluator[object]", projection)


def _composite(entry: EvaluatorEntry, at: EntryPlace) -> Evaluator[object]:
    components = [
        _component(component, at.below("components", index))
        for index, component in enumerate(entry.components or ())
    ]
    try:
        return Composite(components, policy=entry.policy or "", minimum=entry.minimum or 0)
    except AssayError as error:
        raise at.refusal(str(error)) from error


def _component(entry: ComponentEntry, at: EntryPlace) -> Component[object]:
    evaluator = build_evaluator(entry, at)
    _require_one_output(evaluator, at)
    return Component(evaluator, weight=entry.weight, required=entry.required)


def _require_one_output(evaluator: Evaluator[object], at: EntryPlace) -> None:
    outputs = getattr(evaluator, "outputs", ())
    if outputs:
        raise at.refusal(f"expected an evaluator of one output, got one of {', '.join(outputs)}")


def _found(entry: EvaluatorEntry, at: EntryPlace) -> object:
    place = at.below("use")
    if ":" in entry.use:
        where = place.place(place.path)
        return load_import(entry.use, at.folder, place=where, kind=KIND)
    try:
        return registry.find(entry.use)
    except AssayError as error:
        raise place.refusal(str(error)) from error


def _configured(found: object, entry: EvaluatorEntry, at: EntryPlace) -> Evaluator[object]:
    settings = at.below("with")
    try:
        if isinstance(found, ReadyMade):
            # What settings import is loaded by the rules of the suite's folder, and found loaded.
            for reference in found.references(entry.settings):
                where = settings.place(settings.path)
                load_import(reference, at.folder, place=where, kind=KIND)
        if isinstance(found, FunctionEvaluator):
            evaluator = found.configured(entry.settings) if entry.settings else found
            evaluator.require_settings()
            return evaluator
        if isinstance(found, type):
            return _checked(_made(found, entry.settings, settings), entry, at)
        if entry.settings:
            message = (
                f"expected no settings for {bounded(entry.use)}, which is an object; name a class"
            )
            raise settings.refusal(message)
        return _checked(found, entry, at)
    except InputError:
        raise
    except AssayError as error:
        raise settings.refusal(str(error)) from error


def _made(kind: type, settings: Mapping[str, object], at: EntryPlace) -> object:
    _require_known(kind, settings, at)
    try:
        return kind(**settings)
    except AssayError:
        raise
    except Exception as error:
        reason = bounded_reason(error)
        raise at.refusal(f"expected settings that {kind.__name__} takes, got {reason}") from error


def _require_known(kind: type, settings: Mapping[str, object], at: EntryPlace) -> None:
    try:
        parameters = inspect.signature(kind).parameters.values()
    except (TypeError, ValueError):
        return  # then calling it will tell
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        return
    known = [one.name for one in parameters if one.kind is not inspect.Parameter.VAR_POSITIONAL]
    unknown = [name for name in settings if name not in known]
    if unknown:
        valid = ", ".join(known) or "none"
        raise at.refusal(f"expected settings out of {valid}, got {bounded(unknown[0])}")


def _checked(value: object, entry: EvaluatorEntry, at: EntryPlace) -> Evaluator[object]:
    if isinstance(value, Evaluator) and not isinstance(value, type):
        return value
    hint = "; decorate it with @evaluator" if inspect.isroutine(value) else ""
    raise at.below("use").refusal(
        f"expected {bounded(entry.use)} to be an evaluator, got {type(value).__name__}{hint}"
    )
