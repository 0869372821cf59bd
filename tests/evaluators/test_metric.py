"""The identity of a calculation."""

import pickle
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.evaluators.canonical import digest, write
from assay.evaluators.errors import InvalidMetric, is_a
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap


@pytest.mark.parametrize(
    ("namespace", "text"),
    [
        pytest.param("quality", "quality/accuracy", id="kernel 3.2 example 1, namespace"),
        pytest.param("", "accuracy", id="kernel 3.2 example 1, none"),
    ],
)
def test_the_text_form_is_the_name_behind_its_namespace(namespace: str, text: str) -> None:
    """Kernel 3.2 example 1: which is why neither may hold a slash."""
    assert str(Metric(name="accuracy", namespace=namespace)) == text


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"namespace": "bad/name"}, id="kernel 3.2 example 2, slash"),
        pytest.param({"name": ""}, id="kernel 3.2 example 2, no name"),
        pytest.param({"direction": "sideways"}, id="kernel 3.2 example 2, direction"),
        pytest.param({"namespace": "a\ud800"}, id="kernel 3.2 example 3, namespace"),
        pytest.param({"name": "a\ud800"}, id="kernel 3.2 example 3, name"),
        pytest.param({"unit": "a\ud800"}, id="kernel 3.2 example 3, unit"),
        pytest.param({"name": "a/b"}, id="slash in the name"),
        pytest.param({"name": " a"}, id="untrimmed name"),
        pytest.param({"namespace": "a\u2028"}, id="untrimmed namespace"),
        pytest.param({"unit": "s "}, id="untrimmed unit"),
        pytest.param({"name": None}, id="null name"),
        pytest.param({"name": 1}, id="number as name"),
        pytest.param({"parameters": {"": 1}}, id="empty key"),
        pytest.param({"parameters": {"a": float("nan")}}, id="NaN"),
        pytest.param({"parameters": [1]}, id="list of parameters"),
        pytest.param({"threshold": 0.5}, id="foreign member"),
    ],
)
def test_a_broken_rule_is_an_invalid_metric(members: dict[str, object]) -> None:
    """Kernel 3.2 examples 2 and 3: an invalid byte is a lone surrogate in Python."""
    with pytest.raises(InvalidMetric):
        Metric.model_validate({"name": "accuracy", **members})


@pytest.mark.parametrize("name", ["评估\x00é", "\x1fa", "a b", "a.b:c", "\u200b"])
def test_names_may_hold_anything_that_is_no_space_at_an_end(name: str) -> None:
    """Controls included, and they come back."""
    metric = Metric(name=name, unit="m/s")
    assert Metric.decode(metric.identity) == metric


def test_decoding_another_metric_leaves_the_first_as_it_was() -> None:
    """Kernel 3.2 example 4: metrics are immutable, so a copy is the metric itself."""
    first = Metric(name="accuracy", parameters=OpenMap.of({"threshold": 0.5}))
    other = Metric.decode('{"name":"accuracy","parameters":{"threshold":0.9}}')
    assert (first.parameters["threshold"], other.parameters["threshold"]) == ("0.5", "0.9")
    with pytest.raises(Exception, match="frozen"):
        first.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"name":"accuracy","unexpected":true}', id="kernel 3.2 example 5"),
        pytest.param('{"name":"a","name":"a"}', id="twice"),
        pytest.param('{"Name":"a"}', id="other case"),
        pytest.param('{"name":"a"} 1', id="trailing data"),
        pytest.param('{"name":null}', id="null name"),
        pytest.param('{"name":1}', id="number"),
        pytest.param('{"name":"a","parameters":{"k":{"x":1,"x":1}}}', id="twice in a parameter"),
        pytest.param('{"name":"a","parameters":[]}', id="array of parameters"),
        pytest.param('{"name":"a\\ud800"}', id="surrogate"),
        pytest.param("null", id="null"),
        pytest.param("[]", id="array"),
    ],
)
def test_decoding_is_strict(text: str) -> None:
    """Kernel 3.2 example 5: unknown and repeated members are refused, nothing is guessed."""
    with pytest.raises(InvalidMetric):
        Metric.decode(text)


def test_null_optional_members_are_absent() -> None:
    """Kernel 2: as if they were not there."""
    text = '{"name":"a","namespace":null,"unit":null,"direction":null,"parameters":null}'
    assert Metric.decode(text) == Metric(name="a")


def test_empty_optional_members_are_not_written() -> None:
    """There is one spelling of a metric without them."""
    assert Metric(name="a", parameters=OpenMap()).identity == '{"name":"a"}'


@pytest.mark.parametrize(
    "other",
    [
        Metric(name="b"),
        Metric(name="a", namespace="n"),
        Metric(name="a", unit="s"),
        Metric(name="a", direction="lower_is_better"),
        Metric(name="a", parameters=OpenMap.of({"k": 1})),
    ],
)
def test_all_five_members_are_identity(other: Metric) -> None:
    """Averaging over two units or two directions would be a number without meaning."""
    one = Metric(name="a")
    assert one != other
    assert one.digest != other.digest


@pytest.mark.parametrize(("one", "other"), [("1", "1.0"), ("1", "1e0"), ("0", "-0")])
def test_number_spelling_in_parameters_is_identity(one: str, other: str) -> None:
    """A cutoff of 1 and one of 1.0 are two metrics (kernel 14.1)."""
    made = [Metric(name="a", parameters=OpenMap({"k": text})) for text in (one, other)]
    assert made[0] != made[1]


def test_presentation_of_parameters_is_not_identity() -> None:
    """White space, member order and escapes are gone at construction."""
    loose = Metric(name="a", parameters=OpenMap({"k": ' {"b":"\\u003c", "a":1} '}))
    tight = Metric(name="a", parameters=OpenMap({"k": '{"a":1,"b":"<"}'}))
    assert loose == tight
    assert hash(loose) == hash(tight)
    assert loose.parameters["k"] == '{"a":1,"b":"<"}'


def test_a_metric_is_equal_to_nothing_else() -> None:
    """Not even to its identity."""
    assert Metric(name="a") != Metric(name="a").identity


def test_parameters_are_a_snapshot() -> None:
    """Ownership (kernel 1.3)."""
    values = {"k": [1]}
    metric = Metric.model_validate({"name": "a", "parameters": values})
    values["k"].append(2)
    assert metric.parameters["k"] == "[1]"


def test_the_error_keeps_its_cause() -> None:
    """A bad parameter is a bad metric and a bad value."""
    with pytest.raises(InvalidMetric, match="parameters") as caught:
        Metric.decode('{"name":"a","parameters":{"":1}}')
    assert is_a(caught.value, InvalidMetric)
    assert caught.value.__cause__ is not None


@given(st.from_type(Metric))
def test_a_metric_comes_back_from_its_identity(metric: Metric) -> None:
    """The text that stands in the identity table is the whole metric."""
    assert Metric.decode(metric.identity) == metric
    assert metric.digest == digest(metric.identity)
    assert pickle.loads(pickle.dumps(metric)) == metric  # noqa: S301


@given(st.from_type(Metric), st.from_type(Metric))
def test_metrics_are_equal_exactly_when_their_wires_are(one: Metric, other: Metric) -> None:
    """Identity is the canonical text and nothing else."""
    assert (one == other) == (write(one.wire()) == write(other.wire()))


@given(st.from_type(Metric), st.sampled_from(["name", "namespace", "unit", "direction"]))
def test_a_repeated_member_is_refused_wherever_it_stands(metric: Metric, member: str) -> None:
    """Also when both say the same."""
    assume(f'"{member}":' in metric.identity)
    text = metric.identity[:-1] + f',"{member}":"x"}}'
    with pytest.raises(InvalidMetric, match="more than once"):
        Metric.decode(text)


@given(st.from_type(Metric), st.randoms())
def test_member_order_on_the_wire_does_not_matter(metric: Metric, chance: random.Random) -> None:
    """Nor for parameters."""
    wire = metric.wire()
    assert isinstance(wire, dict)
    members = list(wire.items())
    chance.shuffle(members)
    text = "{" + ", ".join(f"{write(name)}: {write(value)}" for name, value in members) + "}"
    assert Metric.decode(text) == metric
