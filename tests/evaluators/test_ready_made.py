"""What every ready-made evaluator has in common."""

import asyncio
import pickle

import pytest

from assay.evaluators.case import Case
from assay.evaluators.decision import Decision
from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.execution import Execution
from assay.evaluators.registry import READY_MADE, find
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.text import contains, equals_expected


def report_of(output: object, expected: object) -> Report:
    """What equals_expected says, asked as a suite asks."""
    sample = Sample(Case(id="c", input=1, expected=expected), Execution(output=output))
    return asyncio.run(equals_expected.evaluate(sample))


def test_a_check_decides_and_scores() -> None:
    """DESIGN 3.1: a ready-made check that decides yields the decision and the score 1 or 0."""
    passed, failed = report_of("a", "a"), report_of("b", "a")
    assert (passed.verdict, passed.score, passed.feedback) == ("pass", 1.0, "")
    assert (failed.verdict, failed.score) == ("fail", 0.0)
    assert failed.feedback == 'expected "a", got "b"'


def test_the_metric_stands_in_the_namespace_of_the_family() -> None:
    """DESIGN 3.1: namespace = family, name = descriptor name, parameters = configuration."""
    metric = report_of("a", "a").metric
    assert str(metric) == "text/equals_expected"
    assert metric.parameters.decoded() == {"ignore_case": False, "trim_space": False}
    decision = report_of("a", "a").decision
    assert decision == Decision(policy="text.equals_expected", verdict="pass")


def test_settings_are_part_of_the_identity() -> None:
    """Two `contains` checks with other words run side by side, and share no grade."""
    one, other = (contains.configured({"value": value}) for value in ("a", "b"))
    assert one.descriptor.identity != other.descriptor.identity
    assert one.descriptor.identity == contains.configured({"value": "a"}).descriptor.identity


@pytest.mark.parametrize("use", READY_MADE)
def test_every_evaluator_is_named_documented_and_pickles(use: str) -> None:
    """What `assay evaluators` shows, and what a worker process gets."""
    evaluator = find(use)
    family, name = use.split(".")
    assert (evaluator.family, evaluator.descriptor.name) == (family, name)
    assert evaluator.descriptor.description.endswith(".")
    assert evaluator.descriptor.reusable
    assert pickle.loads(pickle.dumps(evaluator)).descriptor == evaluator.descriptor  # noqa: S301 - made here


def test_no_two_evaluators_are_one_identity() -> None:
    """Equal names of two families would otherwise share grades."""
    identities = [evaluator.descriptor.identity for evaluator in READY_MADE.values()]
    assert len(set(identities)) == len(identities)


def test_an_unknown_name_is_refused_with_a_similar_one_or_a_way_to_see_all() -> None:
    """The user sees what there is."""
    with pytest.raises(InvalidEvaluatorConfig, match=r"did you mean 'text\.contains'\?"):
        find("text.contain")
    with pytest.raises(InvalidEvaluatorConfig, match="got ''; assay evaluators lists them"):
        find("")
