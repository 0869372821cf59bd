"""The receipt that grading sees, during a run and ever after."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from assay.evaluators.canonical import decode, encode
from assay.evaluators.errors import InvalidExecution, NotJson, classify
from assay.evaluators.execution import Execution, ToolCall, Usage
from assay.evaluators.retained import CaseTexts, ExecutionTexts
from assay.tasks.mask_secrets import MASK, NO_SECRETS, Secrets
from assay.tasks.targets import freeze, receipt_digest

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=12,
)


class _Model(BaseModel):
    name: str
    parts: tuple[int, ...] = ()


@dataclass
class _Point:
    x: int
    model: _Model


class _Colour(StrEnum):
    RED = "red"


def _seen(output: object) -> object:
    """What an evaluator sees of the output."""
    case = CaseTexts("c", "1", None, "{}")
    return freeze(Execution(output=output), NO_SECRETS).sample(case).output


@given(JSON)
def test_json_values_are_seen_as_they_are(output: object) -> None:
    """In value, in kind of number and in the order of members."""
    assert repr(_seen(output)) == repr(output)


@pytest.mark.parametrize(
    ("output", "seen"),
    [
        (_Model(name="m", parts=(1, 2)), {"name": "m", "parts": [1, 2]}),
        (_Point(1, _Model(name="m")), {"x": 1, "model": {"name": "m", "parts": []}}),
        ((1, (2, 3)), [1, [2, 3]]),
        (_Colour.RED, "red"),
        ({}, {}),
        ([], []),
        ([None], [None]),
        ({"a": {}}, {"a": {}}),
        ("a\0b", "a\0b"),
        (None, None),
        (10**400, 10**400),
    ],
)
def test_models_become_mappings_and_tuples_lists(output: object, seen: object) -> None:
    """Grading in the run must see what grading a year later sees."""
    assert _seen(output) == seen


_CYCLE: list[object] = []
_CYCLE.append(_CYCLE)


@pytest.mark.parametrize(
    ("output", "place"),
    [
        (b"x", "output: the value: expected a JSON value, got bytes"),
        ({"a": [1, b"x"]}, r"output: a\[1\]: expected a JSON value, got bytes"),
        ({"a": float("nan")}, "output: a: expected a finite number"),
        ({"a": "\ud800"}, "output: a: expected text without lone surrogates"),
        ({1: 2}, "output: the value: expected text keys"),
        ({1, 2}, "output: the value: expected a JSON value, got set"),
        (_CYCLE, "output: "),
        (datetime.now(UTC), "output: the value: expected a JSON value, got datetime"),
    ],
    ids=str,
)
def test_what_json_cannot_hold_is_refused_by_its_place(output: object, place: str) -> None:
    """The author of the target has to find the value; the class is not worth a retry."""
    with pytest.raises(NotJson, match=place) as refused:
        freeze(Execution(output=output), NO_SECRETS)
    assert classify(refused.value) == "invalid_input"


def test_a_number_of_any_length_survives() -> None:
    """Python itself refuses to print or read integers of more than 4,300 digits."""
    assert _seen(10**5000) == 10**5000


def test_absent_null_and_empty_outputs_stay_three_things() -> None:
    """No candidate is not a candidate of null."""
    texts = [
        freeze(one, NO_SECRETS).texts.output
        for one in (Execution(), Execution(output=None), Execution(output=""))
    ]
    assert texts == [None, "null", '""']


FULL = Execution(
    status="failed",
    reason="the tool broke",
    output={"b": 1, "a": [1.5, None]},
    usage=Usage(input_tokens=3, model_calls=1),
    cost=0.25,
    duration_seconds=2.5,
    started_at=datetime(2030, 1, 2, 3, 4, 5, 678, tzinfo=timezone(timedelta(hours=2))),
    messages=({"role": "user", "content": "hi"},),
    tool_calls=(ToolCall(name="search", arguments={"q": "x"}, id="1", result=[1]),),
    spans=({"name": "root"},),
    metadata={"k": 1.0},
)


def test_everything_that_was_recorded_is_kept() -> None:
    """A receipt that is thawed again is the receipt, with its time in UTC."""
    frozen = freeze(FULL, NO_SECRETS)
    thawed = frozen.texts.receipt()
    assert (
        thawed.encode()
        == FULL.model_copy(
            update={"started_at": datetime(2030, 1, 2, 1, 4, 5, 678, tzinfo=UTC)}
        ).encode()
    )
    assert frozen.texts.provides() == FULL.provides()
    assert frozen.output_present


def test_what_was_not_recorded_stays_unrecorded() -> None:
    """No calls, and calls that nobody recorded, are two findings."""
    assert freeze(Execution(output=1), NO_SECRETS).texts == ExecutionTexts("completed", "1")
    assert freeze(Execution(output=1, tool_calls=()), NO_SECRETS).texts.tool_calls == "[]"


def test_the_digest_is_about_content_and_not_about_time() -> None:
    """A grade is reused for an equal receipt, however long the target took for it."""
    digest = freeze(FULL, NO_SECRETS).digest
    later = FULL.model_copy(update={"started_at": None, "duration_seconds": 99.0})
    assert freeze(later, NO_SECRETS).digest == digest
    for member, value in {"cost": 0.5, "reason": "r", "output": 1, "spans": None}.items():
        other = FULL.model_copy(update={member: value})
        assert freeze(other, NO_SECRETS).digest != digest, member


def test_no_output_and_null_have_two_digests() -> None:
    """They are graded differently."""
    assert (
        freeze(Execution(), NO_SECRETS).digest != freeze(Execution(output=None), NO_SECRETS).digest
    )


def test_the_digest_comes_from_the_stored_texts_alone() -> None:
    """So that whoever reads the store can verify it; it covers one canonical object."""
    frozen = freeze(FULL, NO_SECRETS)
    assert receipt_digest(frozen.texts) == frozen.digest


def test_secrets_are_masked_in_every_member() -> None:
    """Digest, grades and rows all come after this."""
    value = 'hunter"22'
    execution = Execution(
        status="failed",
        reason=f"bad key {value}",
        output=_Model(name=value),
        messages=({value: "x"},),
        tool_calls=(ToolCall(name="t", arguments=[value], result=value),),
        spans=({"n": f"<{value}>"},),
        metadata={"m": value, value: 1},
    )
    texts = freeze(execution, Secrets([value])).texts
    held = encode({name: getattr(texts, name) for name in texts.__slots__})
    assert "hunter" not in held
    assert held.count(MASK) == 8
    assert texts.receipt().metadata.decoded() == {"m": MASK, MASK: 1}


def test_a_receipt_that_contradicts_itself_is_refused() -> None:
    """Python lets one be built around the validation."""
    contradiction = Execution.model_construct(status="completed", reason="but why", output=1)
    with pytest.raises(InvalidExecution, match="reason"):
        freeze(contradiction, NO_SECRETS)


def test_the_sample_is_read_from_the_texts() -> None:
    """An evaluator of a run sees neither the target's own objects nor what masking removed."""
    frozen = freeze(FULL, NO_SECRETS)
    case = CaseTexts("c", '{"q":1}', "2", '{"k":"v"}')
    sample = frozen.sample(case, 3)
    assert (sample.case_id, sample.repeat, sample.input, sample.expected) == ("c", 3, {"q": 1}, 2)
    assert isinstance(sample.output, Mapping)
    assert sample.output == {"a": [1.5, None], "b": 1}
    assert sample.execution.usage == FULL.usage
    assert decode(encode(sample.metadata)) == {"k": "v"}
