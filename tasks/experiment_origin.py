"""What the settings of an experiment were made of, so that they can be read again later."""

from dataclasses import dataclass, field
from pathlib import Path

from assay.tasks.experiment_settings import Overrides


@dataclass(frozen=True, slots=True)
class Origin:
    """A file, and what took the place of its settings.

    Attributes:
        file: The experiment file, absolute; None where a Python program made the experiment.
        overrides: Settings that the command line, or the program, gave beside it.
    """

    file: Path | None = None
    overrides: Overrides = field(default_factory=Overrides)
