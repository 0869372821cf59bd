"""The receipt of one invocation of a target."""

import copy
import datetime as dt
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.canonical import canonicalize
from assay.evaluators.errors import InvalidExecution, NotJson
from assay.evaluators.execution import ABSENT, Absent, Execution, ToolCall, Usage
from assay.evaluators.open_map import OpenMap


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"status":"completed","reason":"x"}', id="kernel 8.1: completed with reason"),
        pytest.param('{"status":"completed","reason":" "}', id="kernel 8.1: even one space"),
        pytest.param('{"status":"failed","output":"candidate"}', id="kernel 8.1: no reason"),
        pytest.param('{"status":"failed","reason":" \\n"}', id="blank reason"),
        pytest.param(
            '{"status":"completed","output":"","legacy":true}', id="kernel 8.1: unknown member"
        ),
        pytest.param('{"status":"done"}', id="unknown status"),
        pytest.param('{"status":null}', id="null status is the default only if absent"),
        pytest.param('{"status":"completed","status":"completed"}', id="twice"),
        pytest.param('{"status":"completed","output":{"a":1,"a":1}}', id="twice in the output"),
        pytest.param('{"status":"completed","usage":{"tokens":1}}', id="unknown in usage"),
        pytest.param('{"status":"completed","usage":{"input_tokens":-1}}', id="negative count"),
        pytest.param(
            '{"status":"completed","usage":{"input_tokens":1.5}}', id="fraction of a token"
        ),
        pytest.param(
            '{"status":"completed","tool_calls":[{"name":"t","x":1}]}', id="unknown in call"
        ),
        pytest.param('{"status":"completed","tool_calls":[{"name":""}]}', id="call without a name"),
        pytest.param('{"status":"completed","messages":["hi"]}', id="message that is no object"),
        pytest.param('{"status":"completed","cost":-1}', id="negative cost"),
        pytest.param('{"status":"completed","cost":true}', id="boolean cost"),
        pytest.param('{"status":"completed","cost":1e400}', id="infinite cost"),
        pytest.param('{"status":"completed","duration_seconds":"1"}', id="text as duration"),
        pytest.param('{"status":"completed","started_at":"yesterday"}', id="no time"),
        pytest.param('{"status":"completed","started_at":"2026-01-01T00:00:00"}', id="no offset"),
        pytest.param('{"status":"completed","metadata":{"":1}}', id="empty key"),
        pytest.param('{"status":"completed","metadata":[]}', id="list of metadata"),
        pytest.param('{"status":"completed","output":"\\ud800"}', id="surrogate"),
        pytest.param("null", id="null"),
        pytest.param("[]", id="array"),
        pytest.param("{", id="truncated"),
    ],
)
def test_a_receipt_that_contradicts_itself_is_refused(text: str) -> None:
    """Kernel 8.1: strictly, at every level; a receipt is immutable, so no receiver can change."""
    if text == '{"status":null}':
        assert Execution.decode(text).status == "completed"
        return
    with pytest.raises(InvalidExecution):
        Execution.decode(text)


def test_absent_null_and_empty_outputs_are_three_things() -> None:
    """Kernel 8.1: in both directions; the empty candidate is written."""
    texts = {
        '{"status":"completed"}': ABSENT,
        '{"output":null,"status":"completed"}': None,
        '{"output":"","status":"completed"}': "",
        '{"output":[],"status":"completed"}': [],
        '{"output":false,"status":"completed"}': False,
    }
    for text, output in texts.items():
        execution = Execution.decode(text)
        assert execution.output == output
        assert type(execution.output) is type(output)
        assert execution.encode() == text
        assert execution.has_output == (output is not ABSENT)


@pytest.mark.parametrize("status", ["budget_exhausted", "canceled", "failed"])
def test_an_invocation_that_did_not_complete_says_why_and_may_have_an_output(status: str) -> None:
    """Kernel 8.1: the reason need not be trimmed."""
    execution = Execution.model_validate({"status": status, "reason": " limit\n", "output": "half"})
    assert Execution.decode(execution.encode()) == execution
    assert execution.has_output


def test_a_completed_invocation_may_have_no_output() -> None:
    """Kernel 8.1: a target may have nothing to say."""
    assert not Execution().has_output
    assert Execution().status == "completed"


def test_null_optional_members_are_absent() -> None:
    """Kernel 2: all but the output."""
    names = ("reason", "usage", "cost", "started_at", "duration_seconds", "messages", "tool_calls")
    nulls = ",".join(f'"{name}":null' for name in (*names, "spans", "metadata"))
    assert Execution.decode(f'{{"status":"completed",{nulls}}}') == Execution()


def test_metadata_keeps_the_spelling_of_its_numbers() -> None:
    """Kernel 1.5 example 2 within a receipt: an open map is carried, not read."""
    text = '{"metadata":{"d":1.0,"e":1e1000,"n":9007199254740993},"status":"completed"}'
    assert Execution.decode(text).encode() == text


def test_nothing_called_and_nothing_known_are_two_things() -> None:
    """An empty list of calls says that there were none."""
    assert "tool_operation" in Execution(tool_calls=()).provides()
    assert "tool_operation" not in Execution().provides()
    assert Execution.decode(Execution(tool_calls=()).encode()).tool_calls == ()
    assert Execution.decode(Execution().encode()).tool_calls is None


@pytest.mark.parametrize(
    ("execution", "kinds"),
    [
        (Execution(), set()),
        (Execution(output=None), {"output"}),
        (Execution(usage=Usage()), {"usage"}),
        (Execution(cost=0.0), {"cost"}),
        (Execution(duration_seconds=0.0), {"timing"}),
        (Execution(tool_calls=()), {"tool_operation"}),
        (Execution(spans=()), {"spans"}),
        (Execution(messages=()), {"message_index", "conversation_excerpt"}),
    ],
)
def test_a_receipt_provides_what_was_recorded(execution: Execution, kinds: set[str]) -> None:
    """Presence counts: a cost of 0 is known, an absent one is not."""
    assert execution.provides() == kinds


def test_counts_are_added_without_the_reasoning() -> None:
    """Reasoning tokens are part of the output tokens."""
    usage = Usage(
        input_tokens=1,
        output_tokens=20,
        cache_read_tokens=300,
        cache_creation_tokens=4000,
        reasoning_tokens=15,
        model_calls=2,
    )
    assert usage.total_tokens == 4321


def test_the_absent_output_stays_one_object() -> None:
    """In a copy and in another process; it is false and names itself."""
    assert copy.deepcopy(ABSENT) is ABSENT
    assert pickle.loads(pickle.dumps(ABSENT)) is ABSENT  # noqa: S301
    assert not pickle.loads(pickle.dumps(Execution())).has_output  # noqa: S301
    assert (bool(ABSENT), repr(ABSENT), isinstance(ABSENT, Absent)) == (False, "ABSENT", True)


def test_an_output_that_json_cannot_hold_cannot_be_encoded() -> None:
    """The path says where; in memory it can be graded all the same."""
    with pytest.raises(NotJson, match=r"output\.a\[0\]"):
        Execution(output={"a": [b""]}).encode()


def test_a_started_moment_keeps_its_offset() -> None:
    """Equal moments are equal wherever they were noted."""
    moment = dt.datetime(2026, 1, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    back = Execution.decode(Execution(started_at=moment).encode())
    assert back.started_at == moment
    assert Execution.decode('{"status":"completed","started_at":"2026-01-01T10:00:00Z"}') == back


@settings(max_examples=50)
@given(st.from_type(Execution))
def test_a_receipt_comes_back_from_its_text(execution: Execution) -> None:
    """Whatever was recorded."""
    text = execution.encode()
    assert canonicalize(text) == text
    assert Execution.decode(text).encode() == text
    assert Execution.from_value(json.loads(text)).has_output == execution.has_output
    again = Execution.decode(text)
    for member in ("status", "reason", "usage", "cost", "started_at", "duration_seconds"):
        assert getattr(again, member) == getattr(execution, member)
    assert again.metadata == execution.metadata
    assert again.provides() == execution.provides()


def test_collections_are_snapshots() -> None:
    """Ownership (kernel 1.3)."""
    calls = [ToolCall(name="t", arguments={"a": 1})]
    metadata = {"k": 1}
    execution = Execution.model_validate({"tool_calls": calls, "metadata": metadata})
    calls.clear()
    metadata.clear()
    assert execution.tool_calls is not None
    assert len(execution.tool_calls) == 1
    assert execution.metadata == OpenMap.of({"k": 1})
