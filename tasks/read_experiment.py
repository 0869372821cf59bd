"""Reading an experiment file: its settings, and the folder that its paths start from."""

from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path

from pydantic import ValidationError

from assay.evaluators.canonical import write
from assay.evaluators.errors import InputError
from assay.evaluators.gate import Gate
from assay.tasks.documents.places import KeyPath, shown
from assay.tasks.documents.read_document import Document, read_document
from assay.tasks.experiment_settings import ExperimentSettings
from assay.tasks.settings.explain_invalid import explain_invalid

KIND = "experiment"
"""The kind that errors about experiments carry."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Settings, and where they come from.

    Attributes:
        settings: What the file says, defaults filled in.
        base: The folder of the file, absolute; paths and import strings start here.
        document: The file, or None for settings made in Python.
    """

    settings: ExperimentSettings
    base: Path
    document: Document | None = field(default=None, repr=False)

    def place(self, path: KeyPath) -> str:
        """Where a setting stands, for an error: file, line and column, or nothing."""
        return self.document.place(path) if self.document else ""

    def resolve(self, path_or_url: str) -> str:
        """A path as an absolute one, from the file's folder; a URL as it is."""
        if "://" in path_or_url:
            return path_or_url
        return str(self.base / Path(path_or_url).expanduser())

    @property
    def dataset_url(self) -> str:
        """Where the dataset is."""
        return self.resolve(self.settings.dataset)


def read_experiment(path: str | PathLike[str]) -> Experiment:
    """The experiment in a `.yaml` or `.json` file.

    Raises:
        InputError: the file cannot be read, or a setting is unknown, missing, of another type or
            out of its range; the message names line, key, what was expected and what came.
    """
    document = read_document(fspath(path), kind=KIND)
    base = Path(path).expanduser().resolve().parent
    if not isinstance(document.tree, dict):
        msg = f"expected a mapping of settings, got {shown(document.tree)}; see the README"
        raise document.refusal(msg)
    try:
        settings = ExperimentSettings.model_validate_json(write(document.tree))
    except ValidationError as error:
        fault = explain_invalid(error, document.tree)
        raise document.refusal(fault.message(), fault.mark) from error
    experiment = Experiment(settings, base, document)
    check_gates(experiment)
    return experiment


def check_gates(experiment: Experiment) -> None:
    """Raise InputError, naming the place, when a gate has no valid form."""
    for index, rule in enumerate(experiment.settings.gates):
        try:
            Gate.parse(rule)
        except InputError as error:
            place = experiment.place(("gates", index))
            raise InputError(str(error), place=place, kind="gate") from error
