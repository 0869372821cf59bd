"""Statistics of the repeats of a case: reference values, laws, and what is undefined."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.statistics import (
    Repeats,
    Undefined,
    at_least_k,
    flakiness,
    majority,
    pass_at_k,
    pass_hat_k,
)

COUNTS = st.builds(Repeats, st.integers(0, 6), st.integers(0, 6))


@pytest.mark.parametrize(
    ("n", "c", "k", "value"),
    [
        (10, 3, 1, 0.3),
        (10, 3, 3, 0.7083333333),
        (10, 3, 5, 0.9166666667),
        (10, 3, 10, 1),
        (5, 2, 2, 0.7),
        (4, 1, 2, 0.5),
        (5, 0, 3, 0),
        (200, 50, 10, 0.9479063706),
        (100, 1, 10, 0.1),
        # Library 17.6, P2.
        (3, 2, 1, 2 / 3),
        (3, 2, 2, 1),
        (3, 2, 3, 1),
        (5, 3, 2, 0.9),
        (10, 9, 3, 1),
    ],
)
def test_pass_at_k_has_its_reference_values(n: int, c: int, k: int, value: float) -> None:
    """Reference values 2, and P2 of the library."""
    assert pass_at_k(Repeats(c, n - c), k) == pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize(
    ("n", "c", "k", "value"),
    [
        (8, 6, 1, 0.75),
        (8, 6, 2, 0.5357142857),
        (8, 6, 4, 0.2142857143),
        (8, 6, 8, 0),
        (4, 3, 2, 0.5),
        (4, 2, 3, 0),
        # Library 17.6, P2.
        (3, 2, 1, 2 / 3),
        (3, 2, 2, 1 / 3),
        (3, 2, 3, 0),
        (5, 3, 2, 0.3),
        (10, 9, 3, 0.7),
    ],
)
def test_pass_hat_k_has_its_reference_values(n: int, c: int, k: int, value: float) -> None:
    """Reference values 2, and P2 of the library."""
    assert pass_hat_k(Repeats(c, n - c), k) == pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize("statistic", [pass_at_k, pass_hat_k])
@pytest.mark.parametrize(
    ("repeats", "k"),
    [
        # B09: two wrong repeats say nothing of five, and three of five are not there.
        (Repeats(0, 2), 5),
        (Repeats(2, 0, unknown=3), 3),
        # B10: one sample a problem says nothing of ten, however many problems there are.
        (Repeats(1, 0), 10),
        (Repeats(0, 0), 1),
    ],
)
def test_too_few_repeats_give_a_reason_and_no_number(
    statistic: Callable[[Repeats, int], float | Undefined], repeats: Repeats, k: int
) -> None:
    """Faults B09 and B10: undefined with a reason, never 1.0."""
    found = statistic(repeats, k)
    assert found == Undefined(
        f"k = {k} needs at least {k} graded repeats of a case, got {repeats.graded}"
    )
    assert not found


@pytest.mark.parametrize("statistic", [pass_at_k, pass_hat_k, at_least_k])
def test_k_is_at_least_one(statistic: Callable[[Repeats, int], object]) -> None:
    """Nothing can be said of no repeats."""
    with pytest.raises(ValueError, match="expected k to be at least 1, got 0"):
        statistic(Repeats(1, 1), 0)


def test_counts_are_not_negative() -> None:
    """Illegal counts cannot be built."""
    with pytest.raises(ValueError, match="expected counts of 0 or more"):
        Repeats(-1, 0)


def test_verdicts_are_counted_by_what_they_are() -> None:
    """What is neither a pass nor a fail is unknown, and still planned."""
    repeats = Repeats.of(["pass", "fail", "", None, "pass"])
    assert repeats == Repeats(2, 1, unknown=2)
    assert (repeats.graded, repeats.planned) == (3, 5)


@given(COUNTS, st.integers(1, 4))
def test_both_are_shares_of_the_choices_of_k_repeats(repeats: Repeats, k: int) -> None:
    """Against listing every choice: what the formulas abbreviate."""
    if k > repeats.graded:
        return
    verdicts = [True] * repeats.passed + [False] * repeats.failed
    chosen = list(itertools.combinations(verdicts, k))
    assert pass_at_k(repeats, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert pass_hat_k(repeats, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


@given(COUNTS, st.integers(1, 4))
def test_passing_once_gets_likelier_with_k_and_passing_always_rarer(
    repeats: Repeats, k: int
) -> None:
    """They start at the pass rate and part from there; one is the other's mirror."""
    if k + 1 > repeats.graded:
        return
    assert pass_at_k(repeats, 1) == pass_hat_k(repeats, 1) == repeats.passed / repeats.graded
    assert pass_at_k(repeats, k) <= pass_at_k(repeats, k + 1)
    assert pass_hat_k(repeats, k) >= pass_hat_k(repeats, k + 1)
    mirrored = pass_at_k(Repeats(repeats.failed, repeats.passed), k)
    assert pass_hat_k(repeats, k) == pytest.approx(1 - mirrored)


@pytest.mark.parametrize(
    ("repeats", "verdict"),
    [
        (Repeats(2, 1), "pass"),
        (Repeats(1, 2), "fail"),
        (Repeats(2, 2), "fail"),
        (Repeats(1, 0), "pass"),
        (Repeats(3, 0, unknown=2), "pass"),
        (Repeats(0, 3, unknown=2), "fail"),
        (Repeats(0, 2, unknown=2), "fail"),
        (Repeats(2, 1, unknown=2), None),
        (Repeats(0, 0), None),
        (Repeats(0, 0, unknown=3), None),
    ],
)
def test_a_majority_is_more_than_half_of_what_was_planned(
    repeats: Repeats, verdict: str | None
) -> None:
    """A tie fails; repeats without a verdict leave it open only while they could change it."""
    found = majority(repeats)
    assert (found if isinstance(found, str) else None) == verdict


@given(COUNTS, st.integers(0, 3), st.integers(1, 8))
def test_a_verdict_stands_however_the_unknown_repeats_end(
    graded: Repeats, unknown: int, k: int
) -> None:
    """Decided if and only if all endings agree."""
    repeats = Repeats(graded.passed, graded.failed, unknown)
    if k > repeats.planned:
        assert isinstance(at_least_k(repeats, k), Undefined)
        return
    endings = {
        at_least_k(Repeats(graded.passed + more, graded.failed + unknown - more), k)
        for more in range(unknown + 1)
    }
    found = at_least_k(repeats, k)
    assert isinstance(found, Undefined) if len(endings) > 1 else endings == {found}


@pytest.mark.parametrize(
    ("repeats", "value"),
    [(Repeats(1, 1), 1), (Repeats(3, 1), 0.5), (Repeats(2, 2), 2 / 3), (Repeats(5, 0), 0)],
)
def test_flakiness_is_the_share_of_pairs_that_disagree(repeats: Repeats, value: float) -> None:
    """Three of the six pairs of 3 passes and 1 fail; four of the six of 2 and 2."""
    assert flakiness(repeats) == pytest.approx(value)


@given(COUNTS)
def test_a_case_is_flaky_if_some_repeats_passed_and_some_failed(repeats: Repeats) -> None:
    """Library 8: 0 < pass rate < 1 with two repeats or more; symmetric in pass and fail."""
    found = flakiness(repeats)
    if repeats.graded < 2:
        assert isinstance(found, Undefined)
        return
    assert (found > 0) == (0 < repeats.passed < repeats.graded)
    assert found == flakiness(Repeats(repeats.failed, repeats.passed))
    assert found <= repeats.graded / (2 * (repeats.graded - 1))
