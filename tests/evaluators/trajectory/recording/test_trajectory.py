"""The record of a run: what contradicts itself, what is incomplete, and what follows from it."""

from collections.abc import Callable
from typing import Any

import pytest

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.trajectory.recording import (
    Coverage,
    EffectRef,
    Event,
    EvidenceGaps,
    InvalidTrajectory,
    ModelCall,
    ModelResponse,
    Relation,
    Termination,
    Trajectory,
    UsageCounters,
)

Bare = Any  # the Run of this folder's conftest
Weather = Callable[..., Bare]
INCARNATION = "incarnation:" + "0" * 32
OTHER = "incarnation:" + "1" * 32


def ref(name: str, incarnation: str = INCARNATION) -> EffectRef:
    """A reference to an effect of the root."""
    return EffectRef(process_id="p", effect_id=name, tree_incarnation_id=incarnation)


MODELS = (ref("model-1"), ref("model-2"))


def test_a_record_comes_back_from_its_text(weather: Weather) -> None:
    """Kernel 12.5: the wire form, nanoseconds and spelled numbers exact."""
    record = weather(output='{"n": 9007199254740993.0}').build(elapsed_ns=9007199254740993)
    text = record.encode()
    assert Trajectory.decode(text) == record
    assert Trajectory.decode(text).encode() == text
    assert '"elapsed_ns":9007199254740993' in text
    assert '"output":{"n":9007199254740993.0}' in text
    assert "gaps" not in text
    with pytest.raises(InvalidTrajectory, match="more"):
        Trajectory.decode(text.replace('"root_process_id"', '"more":1,"root_process_id"'))


def test_the_order_of_what_is_given_does_not_matter(weather: Weather) -> None:
    """Kernel 12.5: canonical order, whatever the clock said."""
    run = weather()
    record = run.build()
    turned = run.build(
        events=tuple(reversed(record.events)), model_calls=tuple(reversed(record.model_calls))
    )
    assert turned == record


@pytest.mark.parametrize(
    "changes",
    [
        {"output": None},
        {"output": "{"},
        {"termination": None},
        {"root_usage": UsageCounters()},
        {"elapsed_ns": -1},
        {"events": ()},
        {"root_process_id": "q"},
        {
            "termination": Termination(process_status="killed", termination_cause="engine_kill"),
            "output": None,
        },
    ],
)
def test_a_record_that_contradicts_itself_cannot_be_built(
    weather: Weather, changes: dict[str, object]
) -> None:
    """Kernel 12.5: output beside completion, ends that agree, no usage without a result."""
    with pytest.raises(InvalidTrajectory):
        weather().build(**changes)


def test_a_missing_event_is_a_contradiction_unless_it_is_a_known_loss(weather: Weather) -> None:
    """Kernel 12.8 example 5: invalid; with a dropped event it is a record with a gap."""
    run = weather()
    events = [one for one in run.events() if one.process_sequence != 3]
    with pytest.raises(InvalidTrajectory, match="missing process sequences, got 1"):
        run.build(events=events)
    record = run.build(events=events, gaps=EvidenceGaps(dropped_events=1))
    assert not record.history_complete


def test_a_place_cannot_be_taken_twice(weather: Weather) -> None:
    """Kernel 12.5: process sequences increase strictly."""
    run = weather()
    with pytest.raises(InvalidTrajectory, match="each process sequence once"):
        run.build(events=[*run.events(), run.events()[0]])


def test_a_process_whose_end_nobody_saw_leaves_the_record_incomplete(bare: Bare) -> None:
    """Kernel 12.5: insufficient, not contradictory, and so neither a verdict nor invalid."""
    child = Relation(
        process_id="c", root_process_id="p", parent_process_id="p", child_key="k", depth=1
    )
    started = Event.model_validate(
        {
            "process_sequence": 1,
            "process_id": "c",
            "relation": child,
            "name": "agent.process.started",
        }
    )
    with pytest.raises(IncompleteRecording, match="1 processes have neither") as caught:
        bare.build(events=[*bare.events(), started])
    assert not isinstance(caught.value, InvalidTrajectory)


@pytest.mark.parametrize(
    ("parent", "depth"), [("nobody", 1), ("p", 2)], ids=["unknown parent", "wrong depth"]
)
def test_processes_form_one_tree(bare: Bare, parent: str, depth: int) -> None:
    """Kernel 12.5: every parent is known, one level above."""
    child = Relation(
        process_id="c", root_process_id="p", parent_process_id=parent, child_key="k", depth=depth
    )
    with pytest.raises(InvalidTrajectory, match="parent of every process"):
        bare.build(events=[*bare.events(), *bare.events(child)])


def test_two_children_cannot_share_a_key(bare: Bare) -> None:
    """Kernel 12.5: their paths would be one; with two keys they are a tree."""
    events = [*bare.events()]
    for name, key in (("c", "k"), ("d", "k")):
        child = Relation(
            process_id=name, root_process_id="p", parent_process_id="p", child_key=key, depth=1
        )
        events += bare.events(child)
    with pytest.raises(InvalidTrajectory, match="child key"):
        bare.build(events=events)
    whole = bare.build(events=events[:8])
    assert whole.paths == {"p": "root", "c": "root/k"}
    assert whole.tree_usage().committed_steps == 4


def test_a_call_has_one_attempt_of_its_own(weather: Weather) -> None:
    """Kernel 12.4: two responses or tool calls for one attempt are a contradiction."""
    run = weather()
    first, second = run.members["model_calls"]
    [tool] = run.members["tool_calls"]
    for calls in (
        {"model_calls": (first, first, second)},
        {"tool_calls": (tool, tool)},
        {"model_calls": (changed(first, step_sequence=2), second)},
        {"model_calls": (changed(first, attempt_id="attempt:" + "9" * 32), second)},
        {"model_calls": (changed(first, effect_id="model-2"), second)},
        {"model_calls": (changed(first, process_id="q"), second)},
    ):
        with pytest.raises(InvalidTrajectory):
            run.build(**calls)


def changed(call: ModelCall, **members: object) -> ModelCall:
    """The call with other members."""
    fields = {name: getattr(call, name) for name in type(call).model_fields}
    return ModelCall.model_validate({**fields, **members})


def test_an_unobserved_call_is_a_known_gap(weather: Weather) -> None:
    """Kernel 12.5: as many unpaired calls as are unobserved; then nothing can be counted."""
    run = weather()
    first, second = run.members["model_calls"]
    calls = (changed(first, response=None), second)
    with pytest.raises(InvalidTrajectory, match="unpaired"):
        run.build(model_calls=calls)
    record = run.build(model_calls=calls, gaps=EvidenceGaps(unpaired_calls=1))
    with pytest.raises(IncompleteRecording):
        record.total_tokens()


def test_a_complete_run_has_its_tokens(weather: Weather) -> None:
    """Kernel 12.5: two calls of 3 + 2."""
    record = weather().build()
    assert record.history_complete
    assert record.total_tokens() == 10


@pytest.mark.parametrize(
    "coverage",
    [
        None,
        Coverage(),
        Coverage(models=MODELS),
        Coverage(models=(*MODELS, ref("tool-1"))),
        Coverage(models=MODELS, tools=(ref("tool-1", OTHER),)),
        Coverage(models=MODELS, tools=(ref("tool-1"), ref("tool-2"))),
        Coverage(models=MODELS, other=(ref("tool-1"),)),
        Coverage(models=MODELS[:1], tools=(ref("tool-1"),)),
    ],
    ids=["none", "empty", "no tools", "tool as model", "incarnation", "extra", "other", "model"],
)
def test_coverage_that_does_not_fit_leaves_the_tokens_unknown(
    weather: Weather, coverage: Coverage | None
) -> None:
    """Kernel 12.4: the record can be built, but nobody vouches for its completeness."""
    record = weather().build(coverage=coverage)
    with pytest.raises(IncompleteRecording):
        record.total_tokens()


def test_a_run_without_a_model_has_zero_tokens_only_if_somebody_says_so(bare: Bare) -> None:
    """Kernel 12.5: empty coverage is a claim, none is silence."""
    assert bare.build(coverage=Coverage()).total_tokens() == 0
    with pytest.raises(IncompleteRecording, match="nobody declared"):
        bare.build().total_tokens()


def test_one_reference_covers_every_attempt_of_an_effect(bare: Bare) -> None:
    """Kernel 12.4: an effect that was tried three times stands once under other."""
    for number in (1, 2, 3):
        known = {"attempt_id": f"attempt:{number:032x}", "effect_target": "dispatcher"}
        bare.facts.insert(2, ("agent.effect.started", 1, "mail", known))
    record = bare.build(coverage=Coverage(other=(ref("mail"),)))
    assert record.total_tokens() == 0
    for coverage in (Coverage(), None):
        with pytest.raises(IncompleteRecording):
            bare.build(coverage=coverage).total_tokens()


def test_framework_effects_need_no_coverage(bare: Bare) -> None:
    """Kernel 12.1: only the dispatcher's effects are external."""
    known = {"attempt_id": "attempt:" + "1" * 32, "effect_target": "framework"}
    bare.facts.insert(2, ("agent.effect.started", 1, "timer", known))
    assert bare.build(coverage=Coverage()).total_tokens() == 0


def test_an_unknown_model_call_has_no_provable_cost(weather: Weather) -> None:
    """Kernel 12.5: neither unknown outcomes nor missing usage count as zero."""
    run = weather()
    first, second = run.members["model_calls"]
    for call in (
        changed(second, response=None, unknown=True),
        changed(second, response=ModelResponse()),
    ):
        with pytest.raises(IncompleteRecording, match="no usage"):
            run.build(model_calls=(first, call)).total_tokens()


def test_a_token_sum_fits_63_bits(weather: Weather) -> None:
    """Kernel 1.4c: an overflow is invalid, not a wrong number."""
    run = weather()
    first, second = run.members["model_calls"]
    usage = {"input_tokens": 2**63 - 1, "output_tokens": 0}
    call = changed(second, response=ModelResponse.model_validate({"usage": usage}))
    with pytest.raises(InvalidTrajectory, match="63 bits"):
        run.build(model_calls=(first, call)).total_tokens()


def test_a_restored_or_stopped_run_has_no_complete_history(weather: Weather, bare: Bare) -> None:
    """Kernel 12.5: restores and stops are events, not gaps."""
    bare.facts[0] = ("agent.process.restored", None, None, {})
    restored = bare.build(coverage=Coverage())
    assert not restored.history_complete
    for ask in (restored.tree_usage, restored.total_tokens):
        with pytest.raises(IncompleteRecording, match="history"):
            ask()
    run = weather()
    stop = {"failure_kind": "external", "failure_code": "store.lost"}
    run.facts[-1] = ("agent.runtime.stopped", None, None, stop)
    stopped = run.build(termination=None, output=None, root_usage=UsageCounters())
    assert not stopped.history_complete
    assert [call.outcome for call in stopped.model_calls] == ["succeeded", "succeeded"]


def test_without_a_result_the_runtime_has_to_have_stopped(bare: Bare) -> None:
    """Kernel 12.5: no termination needs a stop, and no usage."""
    bare.facts.pop()
    open_ended = {"termination": None, "output": None, "root_usage": UsageCounters()}
    with pytest.raises(InvalidTrajectory, match="runtime to have stopped"):
        bare.build(**open_ended)
    bare.build(**open_ended, gaps=EvidenceGaps(dropped_events=1))


def test_decoding_is_strict() -> None:
    """Kernel 12.5: what is no record is refused in one category."""
    for text in ("[]", "{", '{"root_process_id":"p"}'):
        with pytest.raises(InvalidTrajectory):
            Trajectory.decode(text)
