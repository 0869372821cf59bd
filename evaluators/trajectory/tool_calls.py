"""Whether a run called the tools that it should have called."""

from collections.abc import Sequence
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from assay.evaluators.errors import InvalidEvaluatorConfig, Skip
from assay.evaluators.execution import ToolCall
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.trajectory.call_difference import CallDifference
from assay.evaluators.trajectory.expected_call import ExpectedCall
from assay.evaluators.trajectory.invalid_sample import InvalidSample
from assay.evaluators.trajectory.maximum_pairing import maximum_pairing
from assay.evaluators.trajectory.recorded_calls import arguments_of, recorded_calls

Match = Literal["exact", "in_order", "any_order", "subset"]
"""How expected and actual calls have to correspond."""

KEY = "tool_calls"
"""Where the metadata of a case has its expected calls."""

_EXPECTED_CALLS = TypeAdapter(list[ExpectedCall])


@ready_made(
    revision="1",
    requires=("tool_operation",),
    guide=Guide(
        settings={
            "match": "in_order",
            "expected": [{"name": "search", "arguments": {"q": "Paris"}}, {"name": "book"}],
        },
        receipt={
            "tool_calls": [
                {"name": "search", "arguments": {"q": "Paris"}},
                {"name": "book", "arguments": {"id": 7}},
            ]
        },
    ),
)
def tool_calls(
    sample: Sample,
    *,
    match: Match = "exact",
    expected: list[ExpectedCall] | None = None,
    ignore_args: bool = False,
    partial_args: bool = False,
) -> Checked:
    """Pass when the recorded tool calls correspond to the expected ones.

    `exact`: as many calls, each in its place. `in_order`: the expected calls in their order, others
    between them. `any_order`: as many calls, in any order. `subset`: every expected call, in any
    order and among others. An empty expectation means that no call is expected, which only `exact`
    and `any_order` can refuse.

    Names differ elsewhere: ADK's ANY_ORDER is `subset` here; pydantic-evals scores an overlap where
    this decides. Where an expected call leaves arguments open, calls are paired as well as
    possible, not in the order of writing.

    Args:
        sample: Whose recorded calls are compared; unverified where none were recorded. Arguments
            that are a JSON text are decoded, missing ones are an empty object.
        match: One of the four.
        expected: The calls; without them those of the case's `metadata.tool_calls`. An object
            `{"name", "arguments", "accepted", "optional"}` each, all but the name optional.
        ignore_args: Only names are compared.
        partial_args: Arguments beyond the expected ones are ignored, at every level of objects;
            lists must match whole.

    Raises:
        Skip: when there is no expectation.
        InvalidSample: when that of the case is not a list of calls.
    """
    wanted = _expected_of(sample) if expected is None else expected
    calls = recorded_calls(sample)
    edges = [
        [
            place
            for place, call in enumerate(calls)
            if call.name == one.name
            and (ignore_args or one.accepts(arguments_of(call), partial=partial_args))
        ]
        for one in wanted
    ]
    if _corresponds(match, edges, calls):
        return Checked(passed=True)
    extras_allowed = match in {"in_order", "subset"}
    difference = CallDifference.of(wanted, calls, maximum_pairing(edges))
    return Checked(passed=False, reason=difference.text(extras_allowed=extras_allowed))


def _expected_of(sample: Sample) -> list[ExpectedCall]:
    if KEY not in sample.metadata:
        msg = f"neither the setting 'expected' nor the case's metadata.{KEY} names calls"
        raise Skip(msg)
    try:
        return _EXPECTED_CALLS.validate_python(sample.metadata[KEY])
    except (ValidationError, InvalidEvaluatorConfig) as error:
        problem = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        msg = f"metadata.{KEY}: expected a list of calls: {problem}"
        raise InvalidSample(msg) from error


def _corresponds(match: Match, edges: Sequence[Sequence[int]], calls: Sequence[ToolCall]) -> bool:
    if match in {"exact", "any_order"} and len(edges) != len(calls):
        return False
    if match == "exact":
        return all(place in fitting for place, fitting in enumerate(edges))
    if match == "in_order":
        return _in_order(edges)
    return None not in maximum_pairing(edges)


def _in_order(edges: Sequence[Sequence[int]]) -> bool:
    # The earliest fitting call leaves the most for the next one.
    last = -1
    for fitting in edges:
        following = [place for place in fitting if place > last]
        if not following:
            return False
        last = following[0]
    return True
