"""Which older grade stands for a wanted one."""

from collections.abc import Callable

import polars as pl
import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.function import evaluator
from assay.evaluators.sample import Sample
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.reusable_grades import ReusableGrades
from assay.tasks.store import GradeRow, GradingStore, RunStore
from assay.tasks.wanted_grades import WANTED


@evaluator(revision="1")
def check(_sample: Sample) -> bool:
    """Stand for any evaluator: it is never called here."""
    return True


IDENTITY = check.descriptor.identity
CHECKS = (Assessment("check", check), Assessment("twin", check))
Made = Callable[..., GradingStore]


def _row(case_id: str, key: str, *, name: str = "check", status: str = "completed") -> GradeRow:
    return GradeRow(
        case_id, 0, name, key=key, status=status, evaluator=IDENTITY, receipt_digest="sha256:r"
    )


@pytest.fixture
def run(prepare: Callable[..., PreparedRun]) -> RunStore:
    """A run."""
    return prepare().run


@pytest.fixture
def made(run: RunStore) -> Made:
    """Makes a grading of these rows."""

    def make(grading_id: str, *rows: GradeRow) -> GradingStore:
        grading = run.create_grading(grading_id, grading={})
        with grading.writer() as writer:
            writer.commit_blocking(rows, {IDENTITY: ("evaluator", "{}")})
        return grading

    return make


def _wanted(*rows: tuple[str, str, str]) -> pl.DataFrame:
    """Wanted grades of (case, assessment id, key), which nobody asked for."""
    numbers = {"check": 0, "twin": 1}
    full = [(0, numbers[name], case_id, 0, name, key) for case_id, name, key in rows]
    return pl.DataFrame(full, schema=WANTED, orient="row").with_columns(asked=pl.lit(value=False))


def _found(
    gradings: list[GradingStore],
    wanted: pl.DataFrame,
    *,
    before: GradingStore | None = None,
    continued: tuple[str, ...] = (),
    as_they_are: bool = False,
) -> list[tuple[str, object] | None]:
    """For each wanted grade: the id of the grading that has it, and whether elsewhere."""
    old = ReusableGrades(tuple(gradings), before, frozenset(continued), as_they_are)
    rows = old.find(wanted, CHECKS).select("source", "moved").rows()
    return [
        None if source is None else (gradings[source].grading_id, moved) for source, moved in rows
    ]


def test_the_newest_grade_of_the_key_is_taken(made: Made) -> None:
    """Whoever computed an answer anew wanted the new one."""
    gradings = [made("g-1", _row("a", "k")), made("g-2", _row("a", "k")), made("g-3")]
    assert _found(gradings, _wanted(("a", "check", "k"))) == [("g-2", False)]


def test_its_own_place_goes_before_a_newer_one_elsewhere(made: Made) -> None:
    """Repeats with equal receipts keep each what was said of it."""
    gradings = [made("g-1", _row("a", "k")), made("g-2", _row("b", "k"))]
    wanted = _wanted(("a", "check", "k"), ("c", "check", "k"))
    assert _found(gradings, wanted) == [("g-1", False), ("g-2", True)]


def test_a_grade_serves_under_another_id(made: Made) -> None:
    """The id is no part of the question."""
    assert _found([made("g-1", _row("a", "k"))], _wanted(("a", "twin", "k"))) == [("g-1", True)]


def test_another_key_is_another_grade(made: Made) -> None:
    """Even at the same place, by the same evaluator."""
    assert _found([made("g-1", _row("a", "k"))], _wanted(("a", "check", "other"))) == [None]


@pytest.mark.parametrize("status", ["failed", "canceled", "not_evaluated"])
def test_a_grade_without_an_answer_is_no_answer(status: str, made: Made) -> None:
    """Unless everything is to stay as it is in the newest grading."""
    gradings = [made("g-1", _row("a", "k")), made("g-2", _row("a", "k", status=status))]
    wanted = _wanted(("a", "check", "k"))
    assert _found(gradings, wanted) == [("g-1", False)]
    before = gradings[1]
    assert _found(gradings, wanted, before=before, as_they_are=True) == [("g-2", False)]


def test_what_is_asked_for_is_found_only_in_an_earlier_try(made: Made, run: RunStore) -> None:
    """And there only if that try computed it."""
    asked = _wanted(("a", "check", "k"), ("b", "check", "l")).with_columns(asked=pl.lit(value=True))
    carried = _row("b", "l")
    carried = GradeRow(**{**_members(carried), "reused_from": "g-1"})
    gradings = [made("g-1", _row("a", "k"), _row("b", "l")), made("g-2", _row("a", "k"), carried)]
    assert _found(gradings, asked) == [None, None]
    assert _found(gradings, asked, continued=("g-2",)) == [("g-2", False), None]
    assert len(run.gradings()) >= 2


def _members(row: GradeRow) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__dataclass_fields__}


def test_a_wanted_grade_without_a_key_is_not_looked_for(made: Made) -> None:
    """Its evaluator's identity says too little."""
    wanted = _wanted(("a", "check", "k")).with_columns(key=pl.lit(None, pl.String))
    assert _found([made("g-1", _row("a", "k"))], wanted) == [None]


def test_without_gradings_nothing_is_found() -> None:
    """A run whose process died before its first grade."""
    assert _found([], _wanted(("a", "check", "k"))) == [None]


def test_the_evaluators_that_graded_are_known_without_reading_a_grade(made: Made) -> None:
    """Their names lie beside the grades."""
    old = ReusableGrades((made("g-1", _row("a", "k")),), None, frozenset(), as_they_are=False)
    assert old.known == {IDENTITY}
