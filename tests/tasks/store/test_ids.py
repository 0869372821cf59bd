"""Ids of runs and gradings."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.errors import InputError
from assay.tasks.store.ids import find_id, is_id, new_grading_id, new_run_id, require_id

_NOON = datetime(2026, 11, 30, 12, 0, 0, 123_456, UTC)


@given(st.text())
def test_any_experiment_name_gives_a_valid_id(name: str) -> None:
    """A name is free text; the id is a folder and is typed by people."""
    assert is_id(new_run_id(name, now=_NOON))


def test_ids_tell_the_moment_and_the_name() -> None:
    """A person finds last night's run in a listing without opening anything."""
    assert new_run_id("Süpport/Bot 2", now=_NOON).startswith("20261130-120000123-support-bot-2-")
    assert new_grading_id(now=_NOON).startswith("g20261130-120000123-")


def test_ids_are_in_universal_time() -> None:
    """Ids from two places then sort by time as well."""
    east = _NOON.astimezone(timezone(timedelta(hours=9)))
    assert new_run_id("x", now=east)[:18] == new_run_id("x", now=_NOON)[:18]


def test_ids_of_one_millisecond_differ() -> None:
    """Two runs that start together never share a folder."""
    assert len({new_run_id("x", now=_NOON) for _ in range(500)}) == 500
    assert len({new_grading_id(now=_NOON) for _ in range(500)}) == 500


@pytest.mark.parametrize(
    "text",
    ["", "..", ".", "a/b", "a\\b", "/etc", "../x", ".hidden", "-x", "a b", "ä", "a\n", "x" * 129],
)
def test_what_could_leave_the_store_is_no_id(text: str) -> None:
    """An id comes from a command line and becomes a path."""
    with pytest.raises(InputError, match="expected a run id of 1 to 128"):
        require_id(text, kind="run")


def test_a_long_id_is_shown_shortened() -> None:
    """A message stays one line whatever was pasted."""
    with pytest.raises(InputError) as raised:
        require_id("/" * 10_000, kind="run")
    assert len(str(raised.value)) < 300


@given(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", fullmatch=True))
def test_plain_names_are_ids(text: str) -> None:
    """People may choose their own with `--run-id`."""
    require_id(text, kind="run")


def _find(wanted: str, known: list[str]) -> str:
    return find_id(wanted, known, kind="run", place="store")


def test_an_id_is_found_by_an_unambiguous_beginning() -> None:
    """Nobody types forty characters."""
    assert _find("20261130-12", ["20261130-120000-a", "20261130-130000-b"]) == "20261130-120000-a"


def test_a_whole_id_wins_over_longer_ones() -> None:
    """Otherwise the run `a` could not be named beside `ab`."""
    assert _find("a", ["a", "ab"]) == "a"


@pytest.mark.parametrize(
    ("wanted", "known", "said"),
    [
        ("2026", ["20261130-a", "20261130-b"], "'2026' begins 2 run ids: 20261130-a, 20261130-b"),
        ("nightly", ["nigthly", "other"], r"did you mean nigthly\?"),
        ("zzz", ["20261130-a", "20261201-b"], "the newest of 2 is 20261201-b"),
        ("", ["20261130-a"], "no run '' here"),
        ("x", [], "there is no run yet"),
    ],
)
def test_an_unknown_id_names_what_may_be_meant(wanted: str, known: list[str], said: str) -> None:
    """The message saves the next command."""
    with pytest.raises(InputError, match=said) as raised:
        _find(wanted, known)
    assert raised.value.place == "store"
