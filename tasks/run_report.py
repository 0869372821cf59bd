"""What a run, a regrade or a look at one comes to, in the shape that machines read."""

from dataclasses import dataclass

from assay.evaluators.gate import Gate, GateResult, exit_code, judge_gates
from assay.evaluators.summary import Summary
from assay.tasks.recall_plan import recall_settings
from assay.tasks.store import GradingStore, RunStore
from assay.tasks.summarize import summarize_grading


@dataclass(frozen=True, slots=True)
class RunReport:
    """The numbers of one grading, judged by the experiment's gates.

    Attributes:
        run_id: The run.
        grading_id: The grading.
        experiment: The experiment's name.
        summary: Counts, rates, distributions.
        gates: What each gate says.
        target_calls: How often the target was called for this report.
        computed: Grades that were computed for it.
        reused: Grades that were carried over for it.
        recorded: Trials that the host showed as ended when the run left it, or None.
    """

    run_id: str
    grading_id: str
    experiment: str
    summary: Summary
    gates: tuple[GateResult, ...]
    target_calls: int
    computed: int
    reused: int
    recorded: int | None = None

    @property
    def exit_code(self) -> int:
        """0 passed, 1 a gate failed, 3 undecided."""
        return exit_code(self.gates, self.summary)

    def verdict_line(self) -> str:
        """One line for the host: the headline, and what the gates say."""
        headline = self.summary.headline
        outcomes = [gate.outcome for gate in self.gates]
        gates = f"; gates: {', '.join(outcomes)}" if outcomes else ""
        return f"{headline.passes} of {headline.planned} planned trials passed{gates}"

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
            "exit_code": self.exit_code,
        }


def report_run(
    run: RunStore,
    grading: GradingStore,
    *,
    target_calls: int = 0,
    computed: int = 0,
    reused: int = 0,
    abandoned: int = 0,
    recorded: int | None = None,
) -> RunReport:
    """The report of a grading, read from the store; writes its summary beside the grades."""
    settings = recall_settings(run)
    summary = summarize_grading(
        run, grading, target_failures=settings.target_failures, abandoned=abandoned
    )
    gates = tuple(Gate.parse(text) for text in settings.gates)
    return RunReport(
        run_id=run.run_id,
        grading_id=grading.grading_id,
        experiment=str(run.plan["name"]),
        summary=summary,
        gates=judge_gates(gates, summary),
        target_calls=target_calls,
        computed=computed,
        reused=reused,
        recorded=recorded,
    )
