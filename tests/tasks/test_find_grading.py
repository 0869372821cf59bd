"""Which grading an id means."""

from collections.abc import Callable

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.find_grading import REGRADED_FACT, find_grading, newest_grading
from assay.tasks.prepared_run import PreparedRun

Prepare = Callable[..., PreparedRun]


def _regrade(prepared: PreparedRun, name: str, *, ended: bool) -> None:
    prepared.run.create_grading(name, grading={"origin": "regrade"})
    if ended:
        prepared.run.add_journal({"kind": REGRADED_FACT, "grading_id": name})


def test_a_grading_is_found_by_its_id_and_its_beginning(prepare: Prepare) -> None:
    """With the run that it belongs to."""
    prepared = prepare()
    wanted = prepared.grading.grading_id
    for identity in (wanted, wanted[:-2]):
        run, grading = find_grading(prepared.store, identity)
        assert (run.run_id, grading.grading_id) == (prepared.run.run_id, wanted)


def test_a_run_means_its_newest_grading(prepare: Prepare) -> None:
    """What people want to see of a run is what was thought of it last."""
    prepared = prepare(run_id="the-run")
    _regrade(prepared, "later", ended=True)
    assert find_grading(prepared.store, "the-run")[1].grading_id == "later"
    assert find_grading(prepared.store, "the-")[1].grading_id == "later"


def test_a_regrade_that_was_broken_off_is_not_the_newest(prepare: Prepare) -> None:
    """Its missing grades would look like news."""
    prepared = prepare(run_id="the-run")
    _regrade(prepared, "ended", ended=True)
    _regrade(prepared, "broken-off", ended=False)
    assert find_grading(prepared.store, "the-run")[1].grading_id == "ended"
    assert find_grading(prepared.store, "broken-off")[1].grading_id == "broken-off"


def test_a_run_in_progress_has_its_own_grading(prepare: Prepare) -> None:
    """Its gaps are trials that are missing, and it says so."""
    prepared = prepare()
    newest = newest_grading(prepared.run)
    assert newest is not None
    assert newest.grading_id == prepared.grading.grading_id


@pytest.mark.parametrize(
    ("identity", "words"),
    [
        ("the-rum", "no run 'the-rum' here; did you mean the-run"),
        ("g2", "'g2' begins 2 grading ids"),
        ("g9", "no grading 'g9' here"),
        ("", "no run"),
    ],
)
def test_an_id_that_means_nothing_is_refused(identity: str, words: str, prepare: Prepare) -> None:
    """With what it may have been meant to be."""
    prepared = prepare(run_id="the-run")
    _regrade(prepared, "g20300101-1", ended=True)
    with pytest.raises(InputError, match=words):
        find_grading(prepared.store, identity)


def test_a_run_without_grading_is_refused(prepare: Prepare) -> None:
    """Its process died between two files."""
    prepared = prepare()
    other = prepared.store.create_run(
        "bare",
        plan={**prepared.run.plan, "name": "bare"},
        cases=prepared.run.cases().drop("schema_version").to_arrow(),
    )
    with pytest.raises(InputError, match=r"run bare.*expected a run with a grading"):
        find_grading(prepared.store, other.run_id)
