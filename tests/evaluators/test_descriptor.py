"""Who an evaluator is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.descriptor import UNVERSIONED, Descriptor
from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.evidence import REQUIREMENTS, Requirement
from assay.evaluators.open_map import OpenMap

PLAIN = Descriptor(name="contains", revision="1")


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"requires": ["usage", "usage"]}, id="evidence G4: twice"),
        pytest.param({"requires": ["wombat"]}, id="evidence G4: unknown kind"),
        pytest.param({"description": "a" * 1025}, id="evidence G5: 1025 bytes"),
        pytest.param({"name": ""}, id="no name"),
        pytest.param({"name": "a/b"}, id="slash"),
        pytest.param({"name": " a"}, id="untrimmed"),
        pytest.param({"name": "é" * 129}, id="258 bytes"),
        pytest.param({"revision": ""}, id="no revision"),
        pytest.param({"revision": 1}, id="number as revision"),
        pytest.param({"method": "magic"}, id="method"),
        pytest.param({"configuration": {"k": object()}}, id="no JSON"),
        pytest.param({"threshold": 1}, id="foreign member"),
    ],
)
def test_a_broken_rule_is_a_wrong_configuration(members: dict[str, object]) -> None:
    """It is found before any model is paid, and a closed word is not repeated."""
    with pytest.raises(InvalidEvaluatorConfig) as caught:
        Descriptor.model_validate({"name": "n", **members})
    assert "wombat" not in str(caught.value)


def test_an_evaluator_may_require_nothing_or_all_kinds() -> None:
    """Evidence G5: the empty description and the empty list are fine."""
    assert Descriptor(name="n", description="", requires=()).requires == ()
    everything = Descriptor.model_validate({"name": "n", "requires": list(REQUIREMENTS)})
    assert len(everything.requires) == len(REQUIREMENTS) == 11


@pytest.mark.parametrize(
    "other",
    [
        Descriptor(name="contains_all", revision="1"),
        Descriptor(name="contains", revision="2"),
        Descriptor(name="contains", revision="1", method="model"),
        Descriptor(name="contains", revision="1", configuration=OpenMap.of({"word": "a"})),
        Descriptor(name="contains", revision="1", code="sha256:0"),
    ],
)
def test_name_revision_method_configuration_and_code_are_identity(other: Descriptor) -> None:
    """A grade of the one is never taken for a grade of the other."""
    assert other.identity != PLAIN.identity


def test_description_and_requirements_are_no_identity() -> None:
    """Better words for people do not make old grades worthless."""
    requires: tuple[Requirement, ...] = ("output",)
    other = Descriptor(name="contains", revision="1", description="words", requires=requires)
    assert other.identity == PLAIN.identity


@given(st.from_type(OpenMap), st.from_type(OpenMap))
def test_equal_configurations_have_equal_identities_and_others_have_others(
    one: OpenMap, other: OpenMap
) -> None:
    """DESIGN 3.1: two checks with other words run together; the same check is one identity."""
    first, second = (Descriptor(name="n", configuration=each) for each in (one, other))
    assert (first.identity == second.identity) == (one.canonical() == other.canonical())


def test_presentation_of_the_configuration_is_no_identity() -> None:
    """A suite file may be reformatted."""
    loose = Descriptor(name="n", configuration=OpenMap({"k": ' {"b":1, "a":2}'}))
    tight = Descriptor(name="n", configuration=OpenMap({"k": '{"a":2,"b":1}'}))
    assert loose.identity == tight.identity


def test_an_unversioned_evaluator_without_source_is_not_reusable() -> None:
    """Nobody could tell whether its meaning has changed."""
    assert not Descriptor(name="n").reusable
    assert Descriptor(name="n").revision == UNVERSIONED
    assert Descriptor(name="n", code="sha256:0").reusable
    assert PLAIN.reusable


def test_the_wire_names_the_identity() -> None:
    """A plan shows which evaluators its grades came from."""
    assert PLAIN.wire() == {
        "name": "contains",
        "revision": "1",
        "method": "programmatic",
        "description": "",
        "requires": [],
        "configuration": {},
        "code": "",
        "identity": PLAIN.identity,
    }
