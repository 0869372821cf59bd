"""Erasing: what was said is gone, what was counted stays, and the rows still fit their schemas."""

import json
from datetime import UTC, datetime

import fsspec
import pytest

from assay.evaluators.decision import Decision
from assay.evaluators.evidence import ConversationExcerpt, EvaluatorDiagnostic
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.tasks.store import (
    CaseRow,
    ExecutionRow,
    GradeRow,
    RunStore,
    Store,
    StoreError,
    case_table,
)

_SECRET = "canary"  # noqa: S105 - what must be gone
_OTHER = "songbird"


def _free() -> None:
    """A guard that forbids nothing."""


def _report(word: str) -> Report:
    return Report(
        metric=Metric(name="tone"),
        decision=Decision(policy="assertion", verdict="fail"),
        score=0.25,
        feedback=word,
        metadata=OpenMap.of({"why": word}),
        details=(Report(metric=Metric(name="part"), feedback=word),),
        findings=(
            Finding(
                code="rude",
                severity="low",
                message=word,
                references=(EvidenceRef(evidence_id="e"),),
            ),
        ),
        evidence=(
            ConversationExcerpt(id="e", message_index=0, redacted=word, hash="sha256:1"),
            EvaluatorDiagnostic(id="d", code="slow", severity="info", message=word),
        ),
    )


def _case(case_id: str, word: str, position: int) -> CaseRow:
    text = json.dumps({"say": word})
    own = json.dumps([{"id": "own", "use": "text.contains", "with": {"words": [word]}}])
    return CaseRow(case_id, text, text, text, own, f"sha256:{case_id}", "sha256:i", position)


def _execution(case_id: str, word: str, kind: str) -> ExecutionRow:
    text = json.dumps([{"say": word}])
    waits = [{"attempt": 1, "error": word, "error_class": "timeout", "retry_after_seconds": 2}]
    return ExecutionRow(
        case_id,
        0,
        kind,  # type: ignore[arg-type]  # any of the three
        2,
        status="failed",
        error_class="timeout",
        error=word,
        output_present=True,
        output=text,
        reason=word,
        messages=text,
        tool_calls=text,
        usage='{"input_tokens":7}',
        cost=0.5,
        spans=text,
        metadata=text,
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        duration_seconds=1.5,
        waits=json.dumps(waits),
        case_digest=f"sha256:{case_id}",
        receipt_digest=f"sha256:r-{case_id}",
    )


def _grade(case_id: str, word: str, assessment_id: str) -> GradeRow:
    report = _report(word)
    metric = f"sha256:m-{case_id if assessment_id == 'own' else 'suite'}"
    return GradeRow(
        case_id,
        0,
        assessment_id,
        "sha256:key",
        "completed",
        "sha256:e",
        f"sha256:r-{case_id}",
        error=word,
        metric=metric,
        verdict="fail",
        score=0.25,
        report=report.encode(),
        reply=word,
    )


@pytest.fixture
def full(store: Store) -> RunStore:
    """A run in which two cases say a word of their own wherever they can."""
    words = {"gone": _SECRET, "stays": _OTHER}
    declared = {
        case_id: [
            {
                "id": "own",
                "ids": ["own"],
                "entry": {"with": {"words": [word]}},
                "evaluator": {"identity": "sha256:e", "configuration": {"words": [word]}},
            }
        ]
        for case_id, word in words.items()
    }
    plan = {"name": "n", "counts": {"cases": 2, "repeats": 1}, "case_assessments": declared}
    rows = [_case(case_id, word, at) for at, (case_id, word) in enumerate(words.items())]
    run = store.create_run("r", plan=plan, cases=case_table(rows))
    head = {"assessment_ids": ["tone"], "case_assessment_ids": {one: ["own"] for one in words}}
    grading = run.create_grading("g", grading=head, cases=case_table(rows))
    with run.execution_writer() as executions, grading.writer() as grades:
        for case_id, word in words.items():
            for kind in ("receipt", "failure", "late"):
                executions.commit_blocking(_execution(case_id, word, kind))
            text = Metric(name="m", parameters=OpenMap.of({"words": [word]})).identity
            identities = {f"sha256:m-{case_id}": ("metric", text)}
            rows_of_both = [_grade(case_id, word, one) for one in ("tone", "own")]
            grades.commit_blocking(rows_of_both, identities)
    grading.write_report(f"<p>{_SECRET} {_OTHER}</p>")
    return run


def _bytes(run: RunStore) -> bytes:
    """Everything that stands in the files of the run, Parquet decoded."""
    system, path = fsspec.core.url_to_fs(run.place)
    plain = [system.cat_file(name) for name in system.find(path) if name.endswith(".json")]
    html = [system.cat_file(name) for name in system.find(path) if name.endswith(".html")]
    (grading,) = run.gradings()
    frames = [
        run.cases(),
        run.executions(),
        run.late(),
        grading.cases(),
        grading.grades(),
        grading.identity_table(),
    ]
    tables = [repr(frame.rows()).encode() for frame in frames if frame is not None]
    return b"\n".join([*plain, *html, *tables])


def test_nothing_that_a_forgotten_case_said_is_left(full: RunStore) -> None:
    """In any file: cases, receipts, failures, late results, grades, settings, reports, plan."""
    before = _bytes(full)
    assert (before.count(_SECRET.encode()), before.count(_OTHER.encode())) > (20, 20)
    full.erase(frozenset(["gone"]), guard=_free)
    assert _SECRET.encode() not in _bytes(full)


def test_what_other_cases_said_stays(full: RunStore) -> None:
    """Also in a part, a plan and a table of identities that both share."""

    def said() -> list[object]:
        (grading,) = full.gradings()
        mine = [
            full.cases(),
            full.executions(),
            full.late(),
            grading.grades(),
        ]
        rows = [row for frame in mine for row in frame.rows() if row[0] == "stays"]
        own = dict(full.plan["case_assessments"])["stays"]  # type: ignore[call-overload]
        return [*rows, own, grading.identities()["sha256:m-stays"]]

    before = said()
    full.erase(frozenset(["gone"]), guard=_free)
    assert said() == before


def test_digests_and_numbers_of_a_forgotten_case_stay(full: RunStore) -> None:
    """Every count, mean and comparison is what it was."""
    (grading,) = full.gradings()
    numbers = ["case_id", "attempts", "status", "error_class", "output_present", "usage", "cost"]
    numbers += ["duration_seconds", "case_digest", "receipt_digest", "row_digest"]
    grades = ["case_id", "assessment_id", "key", "status", "verdict", "score", "row_digest"]
    before = full.executions(numbers).sort("case_id"), grading.grades(grades).sort("row_digest")
    full.erase(frozenset(["gone"]), guard=_free)
    assert full.executions(numbers).sort("case_id").equals(before[0])
    assert grading.grades(grades).sort("row_digest").equals(before[1])


def test_an_erased_report_is_still_a_report(full: RunStore) -> None:
    """Readers decode it like any other; words that were its only outcome leave a mark."""
    full.erase(None, guard=_free)
    (grading,) = full.gradings()
    for text in grading.grades(["report"])["report"]:
        report = Report.decode(text)
        assert (report.score, report.verdict, report.feedback) == (0.25, "fail", "[forgotten]")
        assert report.findings[0].references == (EvidenceRef(evidence_id="e"),)
        assert report.details[0].feedback == "[forgotten]"


def test_the_journal_says_what_was_forgotten(full: RunStore) -> None:
    """Whoever wonders why an answer is missing must find out."""
    assert full.forgotten_cases() == frozenset()
    full.erase(frozenset(["gone"]), guard=_free)
    assert full.forgotten_cases() == {"gone"}
    assert [fact["kind"] for fact in full.journal()] == ["forget", "forgotten"]
    full.erase(None, guard=_free)
    assert full.forgotten_cases() == {"gone", "stays"}


def test_forgetting_twice_changes_nothing_more(full: RunStore) -> None:
    """A job that forgets a list of people runs every night."""
    full.erase(frozenset(["gone"]), guard=_free)
    before = _bytes(full)
    again = full.erase(frozenset(["gone"]), guard=_free)
    assert again.files == 0
    assert (again.executions, again.grades) == (3, 2)
    assert full.cases().height == 2
    assert before.count(_OTHER.encode()) == _bytes(full).count(_OTHER.encode())


class _KilledError(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", range(9))
def test_an_erasure_that_is_killed_can_be_done_again(full: RunStore, step: int) -> None:
    """After any file: the run stays readable, and the second try ends the work."""
    left = step

    def die() -> None:
        nonlocal left
        if left == 0:
            raise _KilledError
        left -= 1

    try:
        full.erase(frozenset(["gone"]), guard=die)
    except _KilledError:
        assert full.forgotten_cases() == {"gone"}
        assert _OTHER.encode() in _bytes(full)
    full.erase(frozenset(["gone"]), guard=_free)
    assert _SECRET.encode() not in _bytes(full)
    assert not [one for one in full.forgotten()[-1:] if not one.ended]


def test_what_killed_writers_left_is_removed(full: RunStore) -> None:
    """Hidden files hold rows that were never acknowledged, and say things all the same."""
    system, path = fsspec.core.url_to_fs(full.place)
    name = ".part-1.parquet-0199e0b0-0000-7000-8000-000000000000.tmp"
    system.pipe_file(f"{path}/executions/{name}", _SECRET.encode())
    full.erase(frozenset(["gone"]), guard=_free)
    assert not system.exists(f"{path}/executions/{name}")


def test_a_damaged_part_cannot_be_forgotten_and_is_named(full: RunStore) -> None:
    """What cannot be read cannot be erased, and must not be passed over in silence."""
    system, path = fsspec.core.url_to_fs(full.place)
    system.pipe_file(f"{path}/executions/part-torn.parquet", b"torn")
    with pytest.raises(StoreError, match=r"part-torn\.parquet: expected a whole part file"):
        full.erase(frozenset(["gone"]), guard=_free)
    system.rm(f"{path}/executions/part-torn.parquet")
    full.erase(frozenset(["gone"]), guard=_free)
    assert _SECRET.encode() not in _bytes(full)


def test_a_snapshot_that_is_neither_the_planned_nor_an_erased_one_is_refused(
    full: RunStore,
) -> None:
    """Having forgotten one case must not let any other file of cases pass."""
    full.erase(frozenset(["gone"]), guard=_free)
    system, path = fsspec.core.url_to_fs(full.place)
    system.pipe_file(f"{path}/cases.parquet", b"other")
    with pytest.raises(StoreError, match=r"cases\.parquet: is not the file"):
        full.cases()
