"""Everything that a run needs in memory: cases, target, suite and settings, all checked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.evaluators.suite import Suite
from assay.tasks.experiment_origin import Origin
from assay.tasks.experiment_settings import ExperimentSettings
from assay.tasks.mask_secrets import Secrets
from assay.tasks.planned_case import PlannedCase
from assay.tasks.targets import HostTarget
from assay.tasks.trial_key import TrialKey


@dataclass(frozen=True, slots=True, eq=False)
class PlannedRun:
    """A run that can start: nothing of it has to be checked again.

    Attributes:
        settings: The experiment's settings.
        base: The folder that paths, and the import string of the target, resolve from.
        suite_base: The folder that import strings of the suite resolve from.
        cases: By id, in dataset order.
        fixture_id: The identity of the selection of cases.
        target: What is under test.
        suite: The run's assessments, without the cases' own.
        secrets: What is masked in everything that the target gives.
        origin: What the settings were made of.
    """

    settings: ExperimentSettings
    base: Path
    suite_base: Path
    cases: Mapping[str, PlannedCase]
    fixture_id: str
    target: HostTarget
    suite: Suite
    secrets: Secrets
    origin: Origin = field(default_factory=Origin)

    @property
    def grading_concurrency(self) -> int:
        """How many suites may be in flight."""
        return self.settings.grading_concurrency or self.settings.concurrency

    def trials(self) -> Iterator[TrialKey]:
        """Every planned trial, repeats of a case adjacent, in dataset order."""
        for case_id in self.cases:
            for repeat in range(self.settings.repeats):
                yield TrialKey(case_id, repeat)

    def suite_of(self, case_id: str) -> Suite:
        """The run's suite with the case's own assessments behind it."""
        return self.suite.extended(self.cases[case_id].assessments)

    def counts(self) -> dict[str, int]:
        """How many cases, repeats, trials and assessments are planned."""
        cases = len(self.cases)
        return {
            "cases": cases,
            "repeats": self.settings.repeats,
            "trials": cases * self.settings.repeats,
            "assessments": len(self.suite.ids),
        }
