"""The digest of behaviour: what a replay has to repeat, and what may differ."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.canonical import Json
from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.trajectory import InvalidSample
from assay.evaluators.trajectory.recording import (
    Coverage,
    EffectRef,
    EvidenceGaps,
    InvalidTrajectory,
    ModelCall,
    Relation,
    ToolRequest,
    Trajectory,
    behavior_digest,
)

Run = Any  # that of this folder's conftest
Weather = Callable[..., Run]
INCARNATION = "incarnation:" + "0" * 32


def whole(output: Json) -> object:
    """The whole output counts."""
    return output


def digest(trajectory: Trajectory) -> str:
    """The digest with the whole output."""
    return behavior_digest(trajectory, whole)


def changed(call: ModelCall, **members: object) -> ModelCall:
    """The call with other members."""
    fields = {name: getattr(call, name) for name in type(call).model_fields}
    return type(call).model_validate({**fields, **members})


def test_ids_times_and_costs_are_no_behaviour(weather: Weather) -> None:
    """Kernel 12.6: other call ids, tokens, response ids, elapsed time, diagnostics."""
    record = weather().build()
    other = weather(call_id="another")
    first, second = other.members["model_calls"]
    cheaper = {"id": "z", "text": "words", "usage": {"input_tokens": 1, "output_tokens": 1}}
    same = other.build(model_calls=(first, changed(second, response=cheaper)), elapsed_ns=None)
    assert digest(same) == digest(record)


def test_signals_and_lost_deltas_are_no_behaviour(weather: Weather) -> None:
    """Kernel 12.6: when a signal came, and what of a stream was lost."""
    run = weather()
    signal = run.facts.pop(1)
    run.facts.insert(4, signal)
    lost = {"attempt_id": f"attempt:{1:032x}", "dropped_delta_count": 3}
    run.facts.insert(4, ("agent.delta.dropped", 1, "model-1", lost))
    assert digest(run.build()) == digest(weather().build())


def test_when_a_commit_was_published_is_no_behaviour(weather: Weather) -> None:
    """Kernel 12.6: committed and attempted facts interleave by chance."""
    run = weather()
    place = next(at for at, fact in enumerate(run.facts) if fact[0] == "agent.step.committed")
    run.facts[place], run.facts[place + 1] = run.facts[place + 1], run.facts[place]
    assert digest(run.build()) == digest(weather().build())


@pytest.mark.parametrize(
    "change",
    [{"city": "Paris"}, {"output": '{"a":2}'}, {"output": "null"}],
    ids=["argument", "output", "null output"],
)
def test_what_was_done_is_behaviour(weather: Weather, change: dict[str, str]) -> None:
    """Kernel 12.6: another tool argument, another output."""
    assert digest(weather(**change).build()) != digest(weather().build())


def test_how_an_effect_was_resolved_is_behaviour(weather: Weather) -> None:
    """Kernel 12.6: succeeded and failed are two runs."""
    digests = set()
    for settlement in ("succeeded", "failed"):
        run = weather()
        told = {"effect_target": "dispatcher", "settlement_status": settlement}
        run.facts.insert(5, ("agent.effect.resolved", 1, "model-1", told))
        digests.add(digest(run.build()))
    assert len(digests) == 2


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ('{"a":"<","b":1}', '{ "b": 1, "a": "\\u003c" }', True),
        ('{"n":9007199254740993}', '{"n":9007199254740992}', False),
        ("[1,2]", "[2,1]", False),
        ("1", "1.0", False),
    ],
)
def test_outputs_compare_in_canonical_spelling(
    weather: Weather, one: str, other: str, equal: object
) -> None:
    """Kernel 12.6: presentation is no behaviour, a digit and an order are."""
    pair = (digest(weather(output=text).build()) for text in (one, other))
    assert (next(pair) == next(pair)) is equal


def test_only_the_projected_part_of_the_output_counts(weather: Weather) -> None:
    """Kernel 12.6: the projection is explicit, and sees a value of its own."""
    pair = [weather(output=text).build() for text in ('{"a":1,"t":5}', '{"a":1,"t":6}')]

    def answer(output: Json) -> object:
        assert isinstance(output, dict)
        output.pop("t")
        return output

    assert behavior_digest(pair[0], answer) == behavior_digest(pair[1], answer)
    assert pair[0].output == '{"a":1,"t":5}'


def test_without_a_usable_projection_there_is_no_digest(weather: Weather) -> None:
    """Kernel 12.6: absent, or giving what is no JSON."""
    record = weather().build()
    with pytest.raises(InvalidSample, match="expected a projection"):
        behavior_digest(record, None)
    with pytest.raises(InvalidSample, match="JSON value"):
        behavior_digest(record, lambda _: b"bytes")


def test_what_could_be_missing_has_no_digest(weather: Weather) -> None:
    """Kernel 12.6 and kernel 12.8 example 5: dropped events, one call for two attempts."""
    run = weather()
    events = [one for one in run.events() if one.process_sequence != 3]
    with pytest.raises(IncompleteRecording):
        digest(run.build(events=events, gaps=EvidenceGaps(dropped_events=1)))
    again = {"attempt_id": f"attempt:{9:032x}", "effect_target": "dispatcher"}
    run.facts.insert(5, ("agent.effect.started", 1, "model-1", again))
    with pytest.raises(IncompleteRecording):
        digest(run.build())


def delegated(bare: Run, weather: Weather, key: str, call_id: str) -> Run:
    """A run whose tool decision started a child under a key."""
    run = weather(call_id=call_id)
    child = Relation(
        process_id="c", root_process_id="p", parent_process_id="p", child_key=key, depth=1
    )
    run.members["events"] = [*run.events(), *bare.events(child)]
    return run


def test_a_child_is_placed_by_the_decision_that_started_it(bare: Run, weather: Weather) -> None:
    """Kernel 12.6: the provider's call id in a child key is no behaviour, another key is."""
    one = delegated(bare, weather, "tool:abc", "abc").build()
    other = delegated(bare, weather, "tool:xyz", "xyz").build()
    assert digest(one) == digest(other)
    kinds = {
        digest(delegated(bare, weather, key, "abc").build())
        for key in ("tool:abc", "delegate:abc", "tool:nobody", "plain")
    }
    assert len(kinds) == 4


def test_a_child_of_two_decisions_is_ambiguous(bare: Run, weather: Weather) -> None:
    """Kernel 12.6: two decisions of one id leave its place open."""
    run = delegated(bare, weather, "tool:call-1", "call-1")
    first, second = run.members["model_calls"]
    twice = {"tool_calls": [ToolRequest(id="call-1", name="weather")]}
    with pytest.raises(InvalidTrajectory, match="one tool decision"):
        digest(run.build(model_calls=(first, changed(second, response=twice))))


def test_a_decision_that_is_no_json_is_compared_as_it_came(weather: Weather) -> None:
    """A model may decide to call a tool with broken arguments."""
    digests = set()
    for text in ('{"a": ', '{"b": '):
        run = weather()
        first, second = run.members["model_calls"]
        broken = {"tool_calls": [ToolRequest(id="z", name="t", arguments=text)]}
        digests.add(digest(run.build(model_calls=(first, changed(second, response=broken)))))
    assert len(digests) == 2


@settings(max_examples=25)
@given(numbers=st.lists(st.integers(9, 2**100), min_size=3, max_size=3, unique=True))
def test_attempt_ids_never_matter(numbers: list[int], weather: Weather) -> None:
    """However they sort: calls are told in the order in which they were dispatched."""
    records = []
    for ids in (numbers, [9, 10, 11]):
        run = weather()
        for number in ids:
            known = {"attempt_id": f"attempt:{number:032x}", "effect_target": "dispatcher"}
            run.facts.insert(3, ("agent.effect.started", 1, "mail", known))
        mail = EffectRef(process_id="p", effect_id="mail", tree_incarnation_id=INCARNATION)
        known_effects = run.members["coverage"]
        coverage = Coverage(models=known_effects.models, tools=known_effects.tools, other=(mail,))
        records.append(run.build(coverage=coverage))
    assert digest(records[0]) == digest(records[1])
