"""The evaluator of a recorded run against everything that was expected of it."""

from typing_extensions import override

from assay.evaluators.cancellation import current_cancellation
from assay.evaluators.decision import Decision
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.evaluator import Synchronous
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.trajectory.recording.behavior import OutputProjection
from assay.evaluators.trajectory.recording.expected_run import RunSample
from assay.evaluators.trajectory.recording.run_details import NAMESPACE, details_of


def report_of_run(sample: RunSample, project: OutputProjection | None = None) -> Report:
    """The report `agent/trajectory`: pass if no detail failed, with the details.

    It has neither a score nor a measurement of its own.

    Args:
        sample: The run and the expectations.
        project: Which part of the output a replay has to repeat; needed beside a baseline.

    Raises:
        Canceled: when the caller cancelled before.
        IncompleteRecording: when evidence for one of the expectations is missing; that is never a
            pass, a fail or a zero.
        InvalidSample: when behaviour is compared and nothing says what of the output counts.
        InvalidTrajectory: when a sum cannot be represented, or a path is ambiguous.
    """
    current_cancellation().raise_if_canceled()
    details = tuple(details_of(sample, project))
    failed = any(detail.verdict == "fail" for detail in details)
    return Report(
        metric=Metric(namespace=NAMESPACE, name="trajectory"),
        decision=Decision(
            policy="trajectory.all_expectations", verdict="fail" if failed else "pass"
        ),
        details=details,
    )


class RunEvaluator(Synchronous[RunSample]):
    """Holds a recorded run against its expectations, as `report_of_run` does.

    Args:
        project: Which part of the output a replay has to repeat.
        projection: Names the projection in the evaluator's identity; change it with the meaning.
    """

    def __init__(self, project: OutputProjection | None = None, *, projection: str = "") -> None:
        self._project = project
        self._descriptor = Descriptor(
            name="trajectory",
            revision="trajectory-1",
            description="Pass when a recorded run meets every expectation.",
            configuration=OpenMap.of({"projection": projection}),
        )

    @property
    @override
    def descriptor(self) -> Descriptor:
        return self._descriptor

    @override
    def grade(self, subject: RunSample) -> Report:
        return report_of_run(subject, self._project)
