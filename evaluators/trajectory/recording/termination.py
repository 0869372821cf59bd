"""How a process ended."""

from typing import ClassVar, Literal, Self

from pydantic import model_validator

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Items, Record
from assay.evaluators.trajectory.recording.identity import FailureCode, Name
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory

TerminalStatus = Literal["completed", "failed", "canceled", "timed_out", "killed"]
"""How a process can have ended."""

ProcessStatus = Literal[TerminalStatus, "running", "waiting", "paused"]
"""What a process can be."""

Cause = Literal[
    "completion",
    "engine_kill",
    "parent_deadline",
    "host_deadline",
    "parent_cancellation",
    "host_cancellation",
    "execution_failure",
    "contract_failure",
    "external_failure",
    "panic",
]
"""Why a process ended; it fixes the status."""

FailureKind = Literal["execution", "contract", "external", "panic"]
"""What kind of failure ended a process."""

STATUS_OF: dict[Cause, TerminalStatus] = {
    "completion": "completed",
    "engine_kill": "killed",
    "parent_deadline": "timed_out",
    "host_deadline": "timed_out",
    "parent_cancellation": "canceled",
    "host_cancellation": "canceled",
    "execution_failure": "failed",
    "contract_failure": "failed",
    "external_failure": "failed",
    "panic": "failed",
}
KIND_OF: dict[Cause, FailureKind] = {
    "execution_failure": "execution",
    "contract_failure": "contract",
    "external_failure": "external",
    "panic": "panic",
}


class Ending(Record):
    """Status and cause of an end, with the failure where there was one.

    Attributes:
        process_status: Fixed by the cause.
        termination_cause: Why.
        failure_kind: Present if and only if the cause is a failure, and matching it.
        failure_code: Stable name of the failure; present beside a kind.

    Raises:
        InvalidTrajectory: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    process_status: TerminalStatus
    termination_cause: Cause
    failure_kind: FailureKind | None = None
    failure_code: FailureCode | None = None

    @model_validator(mode="after")
    def _check_ending(self) -> Self:
        cause = self.termination_cause
        if self.process_status != STATUS_OF[cause]:
            raise self.refuse(f"ending: expected {STATUS_OF[cause]} beside the cause {cause}")
        if self.failure_kind != KIND_OF.get(cause):
            raise self.refuse(f"ending: expected {KIND_OF.get(cause)} as kind beside {cause}")
        if (self.failure_kind is None) != (self.failure_code is None):
            raise self.refuse(
                "ending: expected a failure code beside a failure kind, and only there"
            )
        return self

    @property
    def facts(self) -> tuple[str, str, str | None, str | None]:
        """What two descriptions of one end have to agree on."""
        return (
            self.process_status,
            self.termination_cause,
            self.failure_kind,
            self.failure_code,
        )


class Termination(Ending):
    """The committed result of a root process, without its output.

    Attributes:
        failure_message: For people; never compared.
        unresolved_effects: Effects of which nobody knows how they ended.
    """

    failure_message: str = ""
    unresolved_effects: Items[Name] = ()
