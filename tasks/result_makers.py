"""Which evaluator is to make which result of a case."""

from collections.abc import Iterable, Mapping

from assay.evaluators.assessment import Assessment
from assay.tasks.planned_run import PlannedRun


class ResultMakers:
    """The identities of the evaluators of a run, by case and result.

    Args:
        planned: The run.
    """

    def __init__(self, planned: PlannedRun) -> None:
        self._planned = planned
        self._suite = _makers(planned.suite.assessments)
        self._own: dict[str, dict[str, str]] = {}

    def of(self, case_id: str) -> Mapping[str, str]:
        """By result id, the identity of the evaluator that is to make it."""
        own = self._planned.cases[case_id].assessments
        if not own:
            return self._suite
        return self._own.setdefault(case_id, {**self._suite, **_makers(own)})


def _makers(assessments: Iterable[Assessment]) -> dict[str, str]:
    return {each: one.evaluator.descriptor.identity for one in assessments for each in one.ids}
