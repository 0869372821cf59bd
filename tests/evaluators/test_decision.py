"""Verdicts and the rules that make them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.canonical import write
from assay.evaluators.decision import Decision
from assay.evaluators.errors import InvalidReport
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"verdict": "pass"}, id="kernel 3.5: no policy"),
        pytest.param({"policy": "", "verdict": "pass"}, id="kernel 3.5: empty policy"),
        pytest.param({"policy": " invalid", "verdict": "pass"}, id="kernel 3.5: untrimmed policy"),
        pytest.param({"policy": "p"}, id="kernel 3.5: no verdict"),
        pytest.param({"policy": "p", "verdict": ""}, id="kernel 3.4: unspecified verdict"),
        pytest.param({"policy": "p", "verdict": "maybe"}, id="kernel 3.5: verdict maybe"),
        pytest.param({"policy": "p", "verdict": "Pass"}, id="other case"),
        pytest.param({"policy": "p", "verdict": True}, id="boolean verdict"),
        pytest.param({"policy": "p\ud800", "verdict": "pass"}, id="surrogate"),
        pytest.param({"policy": 1, "verdict": "pass"}, id="number"),
    ],
)
def test_a_broken_rule_is_an_invalid_report(members: dict[str, object]) -> None:
    """Kernel 3.4 and 3.5: an undecided decision does not exist."""
    with pytest.raises(InvalidReport):
        Decision.model_validate(members)


def test_a_parameter_that_is_no_json_cannot_be_made() -> None:
    """Kernel 3.5: a parameter whose text is `{`."""
    with pytest.raises(InvalidReport):
        Decision.model_validate(
            {"policy": "p", "verdict": "pass", "parameters": {"k": float("nan")}}
        )
    with pytest.raises(InvalidReport):
        Decision.decode('{"policy":"p","verdict":"pass","parameters":{"k":{}')


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"policy":"test"}', id="kernel 3.5: wire without verdict"),
        pytest.param('{"policy":"test","verdict":"pass","x":1}', id="kernel 3.5: extra member"),
        pytest.param('{"policy":"test","verdict":null}', id="null verdict"),
        pytest.param('{"policy":null,"verdict":"pass"}', id="null policy"),
        pytest.param('{"policy":"a","policy":"a","verdict":"pass"}', id="twice"),
        pytest.param(
            '{"policy":"a","verdict":"pass","parameters":{"k":1,"k":1}}', id="twice in it"
        ),
        pytest.param("null", id="null"),
    ],
)
def test_decoding_is_strict(text: str) -> None:
    """Kernel 3.5: on its own and inside a report."""
    with pytest.raises(InvalidReport):
        Decision.decode(text)
    with pytest.raises(InvalidReport):
        Report.decode(f'{{"metric":{{"name":"m"}},"decision":{text}}}')


def test_a_report_has_no_verdict_of_its_own() -> None:
    """Kernel 3.5: it is the decision's, so a member of that name is unknown."""
    text = '{"metric":{"name":"m"},"score":1,"verdict":"pass"}'
    with pytest.raises(InvalidReport, match="'verdict'"):
        Report.decode(text)


@pytest.mark.parametrize("policy", ["swebench/resolved", "trajectory.maximum", "a b"])
def test_slashes_dots_and_inner_spaces_are_fine_in_a_policy(policy: str) -> None:
    """Kernel 3.5: a policy is never split."""
    assert Decision(policy=policy, verdict="fail").policy == policy


def test_the_verdict_is_not_part_of_the_rule() -> None:
    """Two verdicts under one rule can be compared; that is the point of a rule."""
    rules = {Decision(policy="p", verdict=verdict).identity for verdict in ("pass", "fail")}
    assert rules == {'{"policy":"p"}'}


def test_parameters_are_compared_in_canonical_spelling() -> None:
    """Kernel 3.5: kept as they were written, compared without regard to presentation."""
    loose = Decision(policy="p", verdict="pass", parameters=OpenMap({"k": ' {"b":1, "a":2} '}))
    tight = Decision(policy="p", verdict="pass", parameters=OpenMap({"k": '{"a":2,"b":1}'}))
    assert loose.parameters["k"] == ' {"b":1, "a":2} '
    assert loose.identity == tight.identity


def test_an_empty_parameter_map_is_none() -> None:
    """One rule, one spelling."""
    assert Decision(policy="p", verdict="pass", parameters=OpenMap()).identity == '{"policy":"p"}'


@given(st.from_type(Decision))
def test_a_decision_comes_back_from_its_text(decision: Decision) -> None:
    """Verdict, policy and parameters."""
    assert Decision.decode(write(decision)) == decision


@given(st.from_type(Decision), st.from_type(Decision))
def test_rules_are_equal_exactly_when_policy_and_parameters_are(
    one: Decision, other: Decision
) -> None:
    """Nothing else decides whether two verdicts may be compared."""
    same = (one.policy, one.parameters) == (other.policy, other.parameters)
    assert (one.identity == other.identity) == same
