"""Which tasks are worked on, and the identity of that choice."""

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.swebench import InvalidSelection, Selection, Task

DIGEST = "sha256:" + "a" * 64
CHOSEN: dict[str, object] = {
    "dataset": "SWE-bench/SWE-bench_Verified",
    "revision": "0" * 40,
    "split": "test",
    "tasks": [
        {"instance_id": "b", "digest": DIGEST},
        {"instance_id": "a", "digest": DIGEST},
        {"instance_id": "B", "digest": DIGEST},
    ],
}


def changed(**members: object) -> str:
    """The wire text of the selection with other members."""
    return json.dumps({**CHOSEN, **members})


def task(instance_id: str, digest: str = DIGEST) -> list[dict[str, str]]:
    """The tasks of a selection of one."""
    return [{"instance_id": instance_id, "digest": digest}]


def test_tasks_are_in_the_byte_order_of_their_ids() -> None:
    """Kernel 13.1: whatever order they came in."""
    assert Selection.decode(changed()).ids == ("B", "a", "b")


def test_the_digest_is_that_of_compact_json_in_this_order() -> None:
    """Kernel 13.1: others who follow the rule compute the same one."""
    chosen = Selection.decode(changed(tasks=task("a")))
    text = (
        '{"dataset":"SWE-bench/SWE-bench_Verified","revision":"' + "0" * 40 + '","split":"test",'
        '"tasks":[{"instance_id":"a","digest":"' + DIGEST + '"}]}'
    )
    assert chosen.digest == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(changed(revision="main"), id="a branch"),
        pytest.param(changed(revision="A" * 40), id="upper case"),
        pytest.param(changed(revision="0" * 41), id="41 digits"),
        pytest.param(changed(dataset=""), id="no dataset"),
        pytest.param(changed(dataset=" x"), id="untrimmed dataset"),
        pytest.param(changed(split=""), id="no split"),
        pytest.param(changed(split="\ud800"), id="no UTF-8"),
        pytest.param(changed(tasks=[]), id="no task"),
        pytest.param(changed(tasks=None), id="null tasks"),
        pytest.param(changed(tasks=task("a", "sha256:123")), id="short digest"),
        pytest.param(changed(tasks=task("a", "a" * 64)), id="bare digest"),
        pytest.param(changed(tasks=task("a") * 2), id="duplicate"),
        pytest.param(changed(tasks=task("../secret")), id="a way out"),
        pytest.param(changed(tasks=task(".")), id="a dot"),
        pytest.param(changed(tasks=task("..")), id="two dots"),
        pytest.param(changed(tasks=task("")), id="no id"),
        pytest.param(changed(tasks=task("a\n")), id="a line end"),
        pytest.param(changed(tasks=task("é")), id="no ASCII"),
        pytest.param(changed(tasks=[{"instance_id": 1, "digest": DIGEST}]), id="a number"),
        pytest.param(changed(more=1), id="unknown member"),
        pytest.param("null", id="null"),
        pytest.param("{", id="no JSON"),
    ],
)
def test_a_broken_rule_is_an_invalid_selection(text: str) -> None:
    """Kernel 13 example 7, the part on selections; a branch moves, so it names nothing."""
    with pytest.raises(InvalidSelection):
        Selection.decode(text)


def test_a_revision_of_64_digits_is_one() -> None:
    """Kernel 13.1: repositories that hash with SHA-256."""
    assert Selection.decode(changed(revision="f" * 64)).revision == "f" * 64


def test_a_selection_keeps_a_snapshot_of_its_tasks() -> None:
    """Kernel 1.3: what is done to the list afterwards changes nothing."""
    tasks = [Task(instance_id="a", digest=DIGEST)]
    chosen = Selection(dataset="d", revision="0" * 40, split="s", tasks=tasks)
    tasks.clear()
    assert chosen.ids == ("a",)


@settings(max_examples=40)
@given(chosen=st.from_type(Selection))
def test_decoding_gives_back_what_was_encoded(chosen: Selection) -> None:
    """A selection travels as a file without changing its identity."""
    read = Selection.decode(chosen.encode())
    assert (read, read.digest) == (chosen, chosen.digest)


@settings(max_examples=40)
@given(chosen=st.from_type(Selection), data=st.data())
def test_the_order_of_input_is_irrelevant(chosen: Selection, data: st.DataObject) -> None:
    """Kernel 13.1: the digest identifies what was chosen, not how it was listed."""
    tasks = data.draw(st.permutations(chosen.tasks))
    again = Selection(
        dataset=chosen.dataset, revision=chosen.revision, split=chosen.split, tasks=tasks
    )
    assert again.digest == chosen.digest


@settings(max_examples=40)
@given(one=st.from_type(Selection), other=st.from_type(Selection))
def test_digests_are_equal_exactly_when_the_content_is(one: Selection, other: Selection) -> None:
    """Kernel 13.1: any change of content changes the digest."""
    assert (one.digest == other.digest) == (one == other)


@pytest.mark.parametrize("member", ["dataset", "revision", "split", "tasks"])
def test_every_member_is_part_of_the_digest(member: str) -> None:
    """Kernel 13.1: also the digest of a single task."""
    other = {"revision": "1" * 40, "tasks": task("b", "sha256:" + "b" * 64)}.get(member, "other")
    assert Selection.decode(changed(**{member: other})).digest != Selection.decode(changed()).digest
