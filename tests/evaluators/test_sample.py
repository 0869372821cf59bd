"""What an evaluator looks at."""

import datetime as dt
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.canonical import spell, write
from assay.evaluators.case import Case
from assay.evaluators.errors import IncompleteRecording, Skip
from assay.evaluators.execution import Execution, Usage
from assay.evaluators.open_map import OpenMap
from assay.evaluators.retained import CaseTexts, ExecutionTexts
from assay.evaluators.sample import RetainedSample, Sample


def retained(case: Case, execution: Execution, repeat: int = 0) -> RetainedSample:
    """Return the sample as the store keeps it."""

    def text(value: object) -> str | None:
        return None if value is None else spell(value)

    return RetainedSample(
        CaseTexts(case.id, case.input_text, case.expected_text, write(case.metadata)),
        ExecutionTexts(
            status=execution.status,
            output=spell(execution.output) if execution.has_output else None,
            reason=execution.reason,
            messages=text(execution.messages),
            tool_calls=text(execution.tool_calls),
            usage=text(execution.usage),
            cost=execution.cost,
            spans=text(execution.spans),
            metadata=write(execution.metadata),
            started_at=execution.started_at,
            duration_seconds=execution.duration_seconds,
        ),
        repeat,
    )


CASE = Case(id="c", input={"q": 1}, expected=[1.0], metadata=OpenMap({"n": "1e1000"}))
FULL = Execution(
    output={"b": 3.0, "a": None},
    usage=Usage(input_tokens=1),
    cost=0.5,
    started_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
    duration_seconds=1.5,
    messages=({"role": "user"},),
    tool_calls=(),
    spans=(),
    metadata=OpenMap.of({"k": 1}),
)


@pytest.mark.parametrize("make", [Sample, retained])
def test_a_sample_shows_the_case_and_the_receipt(make: type[Sample]) -> None:
    """Kept in memory or in the store: an evaluator cannot tell."""
    sample = make(CASE, FULL, 2)
    assert (sample.case_id, sample.repeat) == ("c", 2)
    assert (sample.input, sample.output, sample.expected) == ({"q": 1}, FULL.output, [1.0])
    assert sample.metadata == CASE.metadata.decoded()
    assert sample.has_expected
    assert sample.execution == FULL
    assert sample.case.digest == CASE.digest
    assert sample.provides() == FULL.provides()


@pytest.mark.parametrize("make", [Sample, retained])
def test_what_is_not_there_says_so(make: type[Sample]) -> None:
    """No candidate is missing evidence, no reference answer a check that does not apply."""
    sample = make(Case(id="c", input=None), Execution(status="failed", reason="why"))
    with pytest.raises(IncompleteRecording, match="no output"):
        _ = sample.output
    with pytest.raises(Skip, match="no expected value"):
        _ = sample.expected
    assert not sample.has_expected
    assert sample.provides() == frozenset()
    assert (sample.input, sample.metadata) == (None, {})


@pytest.mark.parametrize("make", [Sample, retained])
@pytest.mark.parametrize("output", [None, "", False, 0, [], {}])
def test_an_empty_candidate_is_a_candidate(make: type[Sample], output: object) -> None:
    """Null, the empty text and zero are answers."""
    sample = make(Case(id="c", input=1, expected=0), Execution(output=output))
    assert sample.output == output
    assert type(sample.output) is type(output)
    assert sample.expected == 0


def test_what_an_evaluator_does_to_a_retained_value_reaches_no_other() -> None:
    """Every evaluator gets a fresh sample."""
    first = retained(CASE, FULL)
    assert isinstance(first.output, dict)
    first.output["b"] = "changed"
    first.metadata.clear()
    second = first.fresh()
    assert second.output == FULL.output
    assert second.metadata == CASE.metadata.decoded()
    assert first.output != second.output


def test_values_are_decoded_once_for_one_evaluator() -> None:
    """It may ask as often as it likes."""
    sample = retained(CASE, FULL)
    assert sample.output is sample.output
    assert sample.execution is sample.execution


def test_a_damaged_text_is_the_readers_error() -> None:
    """Only where it is needed."""
    sample = RetainedSample(
        CaseTexts("c", "1", None, "{}"), ExecutionTexts("completed", output="{")
    )
    assert sample.input == 1
    with pytest.raises(Exception, match="Expecting"):
        _ = sample.output


@settings(max_examples=50)
@given(st.from_type(Execution))
def test_a_stored_receipt_is_the_receipt(execution: Execution) -> None:
    """All of it, and what it provides can be told without decoding anything."""
    sample = retained(CASE, execution)
    assert sample.provides() == execution.provides()
    assert sample.execution.encode() == execution.encode()
    if execution.has_output:
        assert json.dumps(sample.output) == json.dumps(execution.output)
