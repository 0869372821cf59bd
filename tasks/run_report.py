"""What a run, a regrade or a look at one comes to, in the shape that machines read."""

from dataclasses import dataclass

from assay.evaluators.gate import Gate, GateResult, exit_code, judge_gates
from assay.evaluators.summary import Summary
from assay.tasks.list_failures import FailureKind, list_failures
from assay.tasks.store import GradingStore, RunStore
from assay.tasks.stored_plan import settings_in_force
from assay.tasks.summarize import summarize_grading
from assay.tasks.tally import Tally


@dataclass(frozen=True, slots=True)
class RunReport:
    """The numbers of one grading, judged by the experiment's gates.

    Attributes:
        run_id: The run.
        grading_id: The grading.
        experiment: The experiment's name.
        summary: Counts, rates, distributions.
        gates: What each gate says.
        failures: The kinds of failure among its trials.
        target_calls: How often the target was called for this report.
        computed: Grades that were computed for it.
        reused: Grades that were carried over for it.
        recorded: Trials that the host showed as ended when the run left it, or None.
        gradings: Ids of all gradings of the run, the oldest first.
        worked: True if something was done for this report, False if it was only looked up.
    """

    run_id: str
    grading_id: str
    experiment: str
    summary: Summary
    gates: tuple[GateResult, ...]
    failures: tuple[FailureKind, ...]
    target_calls: int
    computed: int
    reused: int
    recorded: int | None = None
    gradings: tuple[str, ...] = ()
    worked: bool = True

    @property
    def exit_code(self) -> int:
        """0 passed, 1 a gate failed, 3 undecided."""
        return exit_code(self.gates, self.summary)

    def verdict_line(self) -> str:
        """One line for the host: the headline, and what the gates say."""
        headline = self.summary.headline
        outcomes = [gate.outcome for gate in self.gates]
        gates = f"; gates: {', '.join(outcomes)}" if outcomes else ""
        planned = self.summary.trials.planned
        judged = f"{headline.passes} of {headline.planned} trials to be judged passed"
        return f"{judged} ({planned} planned){gates}"

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {
            "run_id": self.run_id,
            "grading_id": self.grading_id,
            "experiment": self.experiment,
            **self.summary.payload(),
            "target_calls": self.target_calls,
            "grades": {"computed": self.computed, "reused": self.reused},
            "gates": [gate.payload() for gate in self.gates],
            "failures": [kind.payload() for kind in self.failures],
            "gradings": list(self.gradings),
            "exit_code": self.exit_code,
        }


def report_run(run: RunStore, grading: GradingStore, tally: Tally | None = None) -> RunReport:
    """The report of a grading, read from the store; writes its summary beside the grades.

    Args:
        run: The run.
        grading: One of its gradings.
        tally: What was done for this report; nothing where it is None.

    Raises:
        InputError: when the run's plan cannot be read by this version.
        StoreError: when the store cannot be read or written.
    """
    done = tally or Tally()
    settings = settings_in_force(run)
    summary = summarize_grading(
        run, grading, target_failures=settings.target_failures, abandoned=done.abandoned
    )
    return RunReport(
        run_id=run.run_id,
        grading_id=grading.grading_id,
        experiment=str(run.plan["name"]),
        summary=summary,
        gates=judge_gates([Gate.parse(text) for text in settings.gates], summary),
        failures=list_failures(run, grading) if _has_failures(summary) else (),
        target_calls=done.target_calls,
        computed=done.computed,
        reused=done.reused,
        recorded=done.recorded,
        gradings=tuple(run.grading_ids()),
        worked=tally is not None,
    )


def _has_failures(summary: Summary) -> bool:
    broken = any(one.count("failed") for one in summary.assessments)
    return broken or bool(summary.target_errors)
