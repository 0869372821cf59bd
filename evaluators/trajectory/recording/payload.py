"""What an event tells beyond its name."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record
from assay.evaluators.trajectory.recording.identity import AttemptId, Counter, FailureCode, Name
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory
from assay.evaluators.trajectory.recording.termination import Ending, FailureKind, ProcessStatus
from assay.evaluators.trajectory.recording.usage_counters import UsageCounters

EffectTarget = Literal["framework", "dispatcher"]
"""Who carries out an effect; only the dispatcher's are external operations."""

Settlement = Literal["succeeded", "failed", "unknown"]
"""How an attempt ended; `unknown` is observed and uncertain, not unobserved."""

Duration = Annotated[int, Field(ge=0)]


class _Payload(Record):
    category: ClassVar[type[AssayError]] = InvalidTrajectory


class Nothing(_Payload):
    """The name says everything."""


class ProcessFinished(Ending):
    """How a process ended, and what it had used by then."""

    usage: UsageCounters


class RuntimeStopped(_Payload):
    """The runtime died, and left no logical result."""

    failure_kind: FailureKind
    failure_code: FailureCode


class SignalAccepted(_Payload):
    """A signal was taken in, perhaps by something that waited for it."""

    signal_id: Name
    wait_id: Name | None = None


class StepFinished(_Payload):
    """The work of a step is done; whether it is kept is told by `step.committed`."""

    step_status: Literal["succeeded", "failed", "discarded"]
    work_duration_ns: Duration
    adoption_delay_ns: Duration


class StepCommitted(_Payload):
    """The result of a step was kept, and left the process in a status."""

    process_status: ProcessStatus


class EffectStarted(_Payload):
    """An attempt of an effect began."""

    attempt_id: AttemptId
    effect_target: EffectTarget


class EffectFinished(_Payload):
    """An attempt of an effect ended."""

    attempt_id: AttemptId
    effect_target: EffectTarget
    settlement_status: Settlement
    duration_ms: Duration
    failure_kind: FailureKind | None = None
    failure_code: FailureCode | None = None


class EffectResolved(_Payload):
    """The final settlement of an effect, found by trying or by looking into it."""

    effect_target: EffectTarget
    settlement_status: Literal["succeeded", "failed"]


class DeltaDropped(_Payload):
    """Pieces of a stream were lost."""

    attempt_id: AttemptId
    dropped_delta_count: Counter


Payload: TypeAlias = (
    Nothing
    | ProcessFinished
    | RuntimeStopped
    | SignalAccepted
    | StepFinished
    | StepCommitted
    | EffectStarted
    | EffectFinished
    | EffectResolved
    | DeltaDropped
)
