"""The grades that a regrade should have, and their keys."""

import polars as pl

from assay.evaluators.assessment import Assessment
from assay.evaluators.function import FunctionEvaluator, evaluator
from assay.evaluators.sample import Sample
from assay.evaluators.suite import Suite
from assay.tasks.grade_key import Graded, grade_key
from assay.tasks.wanted_grades import RECEIPTS, WANTED, WantedGrades, wanted_grades


@evaluator(revision="1")
def one(_sample: Sample) -> bool:
    """Stand for any evaluator: it is never called here."""
    return True


@evaluator(revision="1", outputs=("x", "y"))
def two(_sample: Sample) -> dict[str, bool]:
    """The same with two results."""
    return {"x": True, "y": True}


def _sourceless() -> FunctionEvaluator[object]:
    namespace: dict[str, object] = {}
    exec("def hidden(sample): return True", namespace)  # noqa: S102 - it has no source
    hidden = namespace["hidden"]
    assert callable(hidden)
    return evaluator()(hidden)


RECEIPT_ROWS = pl.DataFrame(
    [
        ("a", 0, "sha256:r0", "sha256:ca"),
        ("a", 1, "sha256:r1", "sha256:ca"),
        ("b", 0, "sha256:r2", "sha256:cb"),
    ],
    schema=RECEIPTS,
    orient="row",
)
SUITE = Suite([Assessment("first", one), Assessment("pair", two)])
KNOWN = {one.descriptor.identity, two.descriptor.identity}


def _places(wanted: WantedGrades) -> set[tuple[object, ...]]:
    columns = ("case_id", "repeat", "assessment_id")
    return set(wanted.rows.select(columns).iter_rows())


def test_every_receipt_should_have_every_result() -> None:
    """With the key under which an older grade would stand for it."""
    wanted = wanted_grades(RECEIPT_ROWS, SUITE, {}, known=KNOWN)
    ids = ("first", "pair.x", "pair.y")
    trials = (("a", 0), ("a", 1), ("b", 0))
    assert _places(wanted) == {(*trial, name) for trial in trials for name in ids}
    assert wanted.rows.schema == WANTED
    (key,) = wanted.rows.filter(
        (pl.col("receipt") == 1) & (pl.col("assessment_id").cast(pl.String) == "pair.y")
    )["key"]
    graded = Graded("a", 1, "sha256:ca", "sha256:r1")
    assert key == grade_key(graded, two.descriptor, "y")


def test_an_evaluator_that_never_graded_needs_no_keys() -> None:
    """Nothing could stand for its grades."""
    wanted = wanted_grades(RECEIPT_ROWS, SUITE, {}, known={one.descriptor.identity})
    keyed = wanted.rows.filter(pl.col("key").is_not_null())
    assert set(keyed["assessment_id"]) == {"first"}
    assert wanted.rows.height == 9


def test_an_identity_that_says_too_little_is_never_known() -> None:
    """Without source and revision the same name may mean anything."""
    hidden = _sourceless()
    suite = Suite([Assessment("hidden", hidden)])
    wanted = wanted_grades(RECEIPT_ROWS, suite, {}, known={hidden.descriptor.identity})
    assert wanted.rows["key"].null_count() == 3


def test_cases_bring_assessments_of_their_own() -> None:
    """For every repeat of that case, and for no other."""
    own = {"a": (Assessment("own", two),), "absent": (Assessment("other", one),)}
    wanted = wanted_grades(RECEIPT_ROWS, SUITE, own, known=KNOWN)
    assert _places(wanted) >= {("a", 0, "own.x"), ("a", 1, "own.y")}
    assert ("b", 0, "own.x") not in _places(wanted)
    assert [check.id for check in wanted.checks] == ["first", "pair", "own", "other"]
    rows = wanted.rows.filter(pl.col("assessment_id").cast(pl.String) == "own.x")
    assert {wanted.checks[number].id for number in rows["check"]} == {"own"}
    assert rows["key"].to_list() == [
        grade_key(Graded("a", n, "sha256:ca", f"sha256:r{n}"), two.descriptor, "x") for n in (0, 1)
    ]


def test_no_receipts_want_nothing() -> None:
    """A run that was planned and never began."""
    assert wanted_grades(RECEIPT_ROWS.clear(), SUITE, {}, known=KNOWN).rows.height == 0
