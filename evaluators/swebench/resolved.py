"""The official grade of a task as an evaluator, so that it can stand in a suite."""

from typing_extensions import override

from assay.evaluators.descriptor import Descriptor
from assay.evaluators.evaluator import Synchronous
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.swebench.identity import HARNESS_REVISION
from assay.evaluators.swebench.task_result import TaskResult


class Resolved(Synchronous[TaskResult]):
    """Repeats what the harness said: score 1 and pass where it resolved the task, else 0 and fail.

    Where it said nothing, the assessment is unverified. The mean of the scores that there are is
    therefore not the official rate, which `RunSummary.resolved_rate` gives.
    """

    @property
    @override
    def descriptor(self) -> Descriptor:
        """The evaluator under the revision of the harness."""
        return Descriptor(
            name="resolved",
            revision="resolved-1",
            description="Pass when the official SWE-bench harness resolved the task.",
            configuration=OpenMap.of({"harness_revision": HARNESS_REVISION}),
        )

    @override
    def grade(self, subject: TaskResult) -> Report:
        """The report of the task; raises NoGrade where there is no official one."""
        return subject.report()
