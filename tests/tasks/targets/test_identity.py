"""Who a target is, in a plan and when a run is resumed."""

import json

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.targets import TargetIdentity, same_target, source_changed

BOT = TargetIdentity("function", "bot:answer", "2", "sha256:aa")
PROGRAM = TargetIdentity("command", ("python", "bot.py"))


@pytest.mark.parametrize("identity", [BOT, PROGRAM, TargetIdentity("http", "http://host/")])
def test_a_plan_keeps_the_whole_identity(identity: TargetIdentity) -> None:
    """Through JSON, which knows no tuples."""
    assert TargetIdentity.from_wire(json.loads(json.dumps(identity.wire()))) == identity


@pytest.mark.parametrize(
    "members",
    [
        None,
        {},
        {"kind": "oracle", "reference": "x"},
        {"kind": "http"},
        {"kind": "http", "reference": [1]},
        {"kind": "http", "reference": "x", "revision": 1},
    ],
)
def test_a_plan_without_a_target_is_refused(members: object) -> None:
    """A damaged plan must not pass for another target."""
    with pytest.raises(InputError, match=r"plan\.json: target"):
        TargetIdentity.from_wire(members)


def test_kind_reference_and_revision_make_the_same_target() -> None:
    """Any of them that differs is another target, and receipts do not mix."""
    assert same_target(BOT, TargetIdentity("function", "bot:answer", "2", "sha256:bb"))
    assert not same_target(BOT, TargetIdentity("function", "bot:answer", "3", "sha256:aa"))
    assert not same_target(BOT, TargetIdentity("function", "bot:other", "2", "sha256:aa"))
    assert not same_target(BOT, TargetIdentity("http", "bot:answer", "2", "sha256:aa"))


def test_a_changed_file_is_noticed_where_both_sides_know_it() -> None:
    """It is worth a warning; not knowing is not a change."""
    assert source_changed(BOT, TargetIdentity("function", "bot:answer", "2", "sha256:bb"))
    assert not source_changed(BOT, BOT)
    assert not source_changed(BOT, TargetIdentity("function", "bot:answer", "2"))


def test_it_prints_as_a_person_would_write_it() -> None:
    """It stands in headings and tags."""
    assert (str(BOT), str(PROGRAM)) == ("bot:answer", "python bot.py")
