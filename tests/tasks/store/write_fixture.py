"""Writes the store `written_by_1`: once for each new schema version, under another name.

    python tests/tasks/store/write_fixture.py tests/tasks/store/written_by_1

It holds what a store can hold: receipts, a failure, a late result, parts that were merged and one
that was not, a grading and one that carries its grades over, a fact, and a forgotten case.
"""

import sys
from collections.abc import Mapping
from datetime import UTC, datetime

from assay.evaluators.assess import assess_now
from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.execution import Execution, ToolCall, Usage
from assay.evaluators.function import evaluator
from assay.evaluators.returned import Skip
from assay.tasks.call_target import Failed
from assay.tasks.execution_rows import failure_row, late_row, receipt_row
from assay.tasks.grade_columns import GradeColumns
from assay.tasks.grade_key import Graded
from assay.tasks.mask_secrets import NO_SECRETS
from assay.tasks.plan_case import fixture_of, plan_case
from assay.tasks.plan_document import assessment_document
from assay.tasks.planned_case import PlannedCase
from assay.tasks.store import CaseRow, GradingStore, RunStore, case_table, open_store
from assay.tasks.store.stamp import given_columns
from assay.tasks.targets.freeze import FrozenReceipt, freeze
from assay.tasks.trial_key import TrialKey

_STARTED = datetime(2026, 11, 30, 12, tzinfo=UTC)
_REFUSED = Failed("refused", "the target said no", None, _STARTED, 0.25)


@evaluator(name="exact", revision="1")
def exact(sample: object) -> bool:
    """True if the answer is the expected one."""
    return bool(sample.output == sample.expected)  # type: ignore[attr-defined]


@evaluator(name="size", revision="2")
def size(_: object) -> Skip:
    """A check that does not apply."""
    return Skip("not here")


_SUITE = (Assessment("exact", exact), Assessment("size", size))
_CASES = (
    Case(id="plain", input="What is 1 + 1?", expected="2", metadata={"topic": "sums"}),
    Case(id="nested", input={"b": 1.0, "a": [None, True]}, expected={"x": 3}),
    Case(id="forgotten", input="My name is Nobody.", expected="Nobody"),
    Case(id="failed", input="no", expected="yes"),
)
_ANSWERS: Mapping[str, object] = {"plain": "2", "nested": {"x": 3.5}, "forgotten": "Nobody"}


def write_fixture(url: str) -> None:
    """Write the store at an address where nothing is yet."""
    planned = {case.id: plan_case(case, (), NO_SECRETS, place="fixture") for case in _CASES}
    run = _plan(url, planned)
    receipts = {case_id: _receipt(answer) for case_id, answer in _ANSWERS.items()}
    for case_id, receipt in receipts.items():  # a part each
        with run.execution_writer() as writer:
            key, digest = TrialKey(case_id, 0), planned[case_id].digest
            writer.commit_blocking(receipt_row(key, digest, receipt, []))
            if case_id == "plain":
                writer.commit_blocking(late_row(key, digest, receipt, []))
    first = _grade(run, "g1", receipts, planned)
    for merger in run.mergers():
        merger.merge_all()
    with run.execution_writer() as writer:
        failure = failure_row(TrialKey("failed", 0), planned["failed"].digest, [_REFUSED])
        writer.commit_blocking(failure)
    _carry_over(run, "g2", first)
    run.add_journal({"kind": "note", "text": "written for the tests"})
    run.erase(frozenset(["forgotten"]), guard=lambda: None)


def _plan(url: str, planned: Mapping[str, PlannedCase]) -> RunStore:
    rows = [
        CaseRow(
            case_id=case.texts.id,
            input=case.texts.input,
            expected=case.texts.expected,
            metadata=case.texts.metadata,
            suite=None,
            case_digest=case.digest,
            input_digest=case.input_digest,
            position=position,
        )
        for position, case in enumerate(planned.values())
    ]
    plan = {
        "name": "fixture",
        "experiment": {"name": "fixture"},
        "fixture_id": fixture_of(planned.values()),
        "target": {"kind": "function", "reference": "bot:answer", "revision": "1", "source": ""},
        "counts": {"cases": len(rows), "repeats": 1, "trials": len(rows), "assessments": 2},
        "assessments": [assessment_document(one) for one in _SUITE],
        "case_assessments": {},
    }
    return open_store(url).create_run("written-by-1", plan=plan, cases=case_table(rows))


def _receipt(answer: object) -> FrozenReceipt:
    execution = Execution(
        output=answer,
        usage=Usage(input_tokens=7, output_tokens=1),
        cost=0.5,
        started_at=_STARTED,
        duration_seconds=1.25,
        messages=({"role": "assistant", "content": "hm"},),
        tool_calls=(ToolCall(name="add", arguments={"a": 1, "b": 1}, result=2),),
        metadata={"model": "rules"},
    )
    return freeze(execution, NO_SECRETS)


def _head(run: RunStore) -> dict[str, object]:
    return {
        "origin": "run",
        "fixture_id": run.plan["fixture_id"],
        "assessments": run.plan["assessments"],
        "assessment_ids": [one.id for one in _SUITE],
        "case_assessment_ids": {},
    }


def _grade(
    run: RunStore,
    grading_id: str,
    receipts: Mapping[str, FrozenReceipt],
    planned: Mapping[str, PlannedCase],
) -> GradingStore:
    grading = run.create_grading(grading_id, grading=_head(run))
    for case_id, receipt in receipts.items():
        case = planned[case_id]
        columns = GradeColumns(NO_SECRETS)
        for assessment in _SUITE:
            results = assess_now(assessment, receipt.sample(case.texts))
            columns.add(Graded(case_id, 0, case.digest, receipt.digest), assessment, results)
        with grading.writer() as writer:
            writer.commit_blocking(columns.rows(), columns.identities)
    return grading


def _carry_over(run: RunStore, grading_id: str, old: GradingStore) -> None:
    grades = old.grades()
    columns = list(given_columns(old.grade_parts().schema))
    carried = grades.select(columns).to_arrow()
    place = carried.schema.names.index("reused_from")
    origin = [old.grading_id] * len(carried)
    with run.create_grading(grading_id, grading=_head(run)).writer() as writer:
        table = carried.set_column(place, "reused_from", [origin])
        writer.commit_table_blocking(table, old.identities())


if __name__ == "__main__":
    write_fixture(sys.argv[1])
