"""Suites: which evaluators an entry can name, how they are configured, and what is refused."""

import asyncio
import pickle
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import decode
from assay.evaluators.case import Case
from assay.evaluators.errors import InputError, Skip
from assay.evaluators.execution import Execution
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.text import equals_expected
from assay.tasks.read_experiment import read_experiment
from assay.tasks.read_suite import read_case_suite, read_suite, suite_folder

GRADERS = """
from dataclasses import dataclass
from assay import evaluator
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report

@evaluator(revision="1")
def tone(sample, *, words: list[str], limit: int = 3):
    return sum(word in sample.output for word in words) <= limit

@evaluator(revision="1", outputs=("brief", "kind"))
def pair(sample):
    return {"brief": True, "kind": "short"}

def plain(sample):
    return True

@dataclass(frozen=True)
class Length:
    unit: str = "character"
    most: int = 9

    def __post_init__(self):
        if self.most < 1:
            raise ValueError("most: expected at least 1")

    @property
    def descriptor(self):
        return Descriptor(name="length", revision="1", configuration={"most": self.most})

    async def evaluate(self, subject):
        return Report(metric=Metric(name="length", unit=self.unit), measurement=float(self.most))

length = Length()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with graders; its modules are forgotten afterwards."""
    path, modules = list(sys.path), set(sys.modules)
    (tmp_path / "own_graders.py").write_text(GRADERS)
    yield tmp_path
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def one(folder: Path, **entry: object) -> Assessment:
    """The only assessment of a suite."""
    (assessment,) = read_suite([{"id": "a", **entry}], folder)
    return assessment


def refused(folder: Path, *entries: Mapping[str, object]) -> str:
    """The sentence with which the entries are refused."""
    with pytest.raises(InputError) as caught:
        read_suite(entries, folder)
    assert caught.value.kind == "suite"
    assert "\n" not in str(caught.value)
    return str(caught.value)


def report_of(assessment: Assessment, output: object, expected: object = None) -> Report:
    """What the assessment's evaluator says of an output."""
    case = Case(id="c", input="question", expected=expected, metadata={"gold": "yes"})
    return asyncio.run(assessment.evaluator.evaluate(Sample(case, Execution(output=output))))


def test_a_ready_made_evaluator_is_named_by_family(folder: Path) -> None:
    """DESIGN 8.1: `<family>.<evaluator>`."""
    assessment = one(folder, use="text.equals_expected", **{"with": {"ignore_case": True}})
    assert report_of(assessment, "PARIS", "Paris").verdict == "pass"
    assert assessment.evaluator.descriptor.configuration.decoded()["ignore_case"] is True


def test_an_own_evaluator_is_named_by_import_string(folder: Path) -> None:
    """Functions, objects and classes alike; settings go to the function or the class."""
    words = {"with": {"words": ["x"], "limit": 0}}
    assert report_of(one(folder, use="own_graders:tone", **words), "a x b").verdict == "fail"
    assert report_of(one(folder, use="own_graders:length"), "").measurement == 9.0
    made = one(folder, use="own_graders:Length", **{"with": {"most": 4}})
    assert report_of(made, "").measurement == 4.0


def test_an_assessment_keeps_its_entry_as_written(folder: Path) -> None:
    """A plan stores it, and the same suite is made of it again."""
    entry = {"id": "a", "use": "own_graders:tone", "with": {"words": ["x"]}}
    (assessment,) = read_suite([entry], folder)
    assert decode(assessment.entry) == entry
    (again,) = read_suite([entry], folder)
    assert again.evaluator.descriptor.identity == assessment.evaluator.descriptor.identity


def test_an_evaluator_of_several_outputs_is_several_assessments(folder: Path) -> None:
    """DESIGN 3.1: `<id>.<name>`, and these ids must be free too."""
    pair = {"id": "a", "use": "own_graders:pair"}
    assert one(folder, use="own_graders:pair").ids == ("a.brief", "a.kind")
    other = {"id": "a.kind", "use": "text.equals_expected"}
    assert "suite[1]: expected each id once, got 'a.kind' again" in refused(folder, pair, other)


@pytest.mark.parametrize(
    ("select", "output", "verdict"),
    [
        ("output", "yes", "pass"),
        ("metadata.gold", "no", "pass"),
        ("/answer/0", {"answer": ["yes"]}, "pass"),
        ("input", "yes", "fail"),
        ("expected", "no", "pass"),
    ],
)
def test_select_puts_a_part_in_the_place_of_the_output(
    folder: Path, select: str, output: object, verdict: str
) -> None:
    """DESIGN 3.1, projection."""
    assessment = one(folder, use="text.equals_expected", select=select)
    assert report_of(assessment, output, "yes").verdict == verdict


def test_select_skips_what_the_case_does_not_have(folder: Path) -> None:
    """A check of absent metadata does not apply."""
    assessment = one(folder, use="text.equals_expected", select="metadata.none")
    with pytest.raises(Skip):
        report_of(assessment, "x", "y")


def test_a_composite_weighs_its_components(folder: Path) -> None:
    """Kernel 4.4 example 1, written as a suite file writes it."""
    components = [
        {"use": "text.equals_expected", "weight": 3, "required": True},
        {"use": "text.contains", "with": {"value": "z"}, "select": "input"},
    ]
    composite = one(folder, use="composite", components=components, policy="at_least", minimum=1)
    report = report_of(composite, "yes", "yes")
    assert (report.score, report.verdict) == (0.75, "pass")
    assert [str(detail.metric) for detail in report.details] == [
        "text/equals_expected",
        "text/contains",
    ]


def test_a_composite_may_be_a_component(folder: Path) -> None:
    """Nothing in the form forbids it."""
    inner = {"use": "composite", "components": [{"use": "text.equals_expected"}]}
    assert report_of(one(folder, use="composite", components=[inner]), "a", "a").score == 1.0


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"use": "text.contanis"}, "suite[0].use: expected <family>.<evaluator>, composite, or an"),
        ({"use": "text.contanis"}, "got 'text.contanis'; did you mean 'text.contains'?"),
        ({"use": "zzz"}, "got 'zzz'; assay evaluators lists them"),
        ({"use": "text.contains"}, "suite[0].with: contains: expected the setting 'value'"),
        (
            {"use": "text.contains", "with": {"value": 1, "ignorecase": True}},
            "expected settings out of value, ignore_case, trim_space, got 'ignorecase'",
        ),
        (
            {"use": "text.equals_expected", "with": {"ignore_case": "yes"}},
            "suite[0].with: equals_expected: ignore_case: expected bool, got str",
        ),
        ({"use": "own_graders:tone"}, "tone: expected the setting 'words', which has no default"),
        (
            {"use": "own_graders:tone", "with": {"words": ["x"], "limit": "3"}},
            "suite[0].with: tone: limit: expected int, got str",
        ),
        ({"use": "own_graders:tnoe"}, "found no 'tnoe'; did you mean 'tone'?"),
        ({"use": "other_graders:tone"}, "did you mean 'own_graders'?"),
        ({"use": "own_graders:plain"}, "to be an evaluator, got function; decorate it with"),
        ({"use": "own_graders:GRADERS"}, "found no 'GRADERS'"),
        ({"use": "own_graders:length", "with": {"most": 2}}, "which is an object; name a class"),
        (
            {"use": "own_graders:Length", "with": {"least": 2}},
            "suite[0].with: expected settings out of unit, most, got 'least'",
        ),
        (
            {"use": "own_graders:Length", "with": {"most": 0}},
            "expected settings that Length takes, got ValueError: most: expected at least 1",
        ),
        (
            {"use": "own_graders:pair", "select": "input"},
            "suite[0].select: expected an evaluator of one output, got one of brief, kind",
        ),
        (
            {"use": "composite", "components": [{"use": "own_graders:pair"}]},
            "suite[0].components[0]: expected an evaluator of one output",
        ),
        (
            {"use": "composite", "components": [{"use": "text.contians"}]},
            "suite[0].components[0].use: expected <family>",
        ),
        (
            {
                "use": "composite",
                "components": [{"use": "text.equals_expected"}],
                "policy": "at_least",
                "minimum": 2,
            },
            "suite[0]: composite.minimum: expected 1 to 1, got 2",
        ),
        (
            {"use": "text.equals_expected", "select": "inptu"},
            "expected input, output, expected, metadata.<key> or a JSON pointer, got 'inptu'",
        ),
        ({"use": "text.equals_expected", "weight": 2}, "suite[0]: expected keys out of use, with"),
        ({}, "suite[0]: expected a key 'use', got none"),
    ],
)
def test_an_entry_that_cannot_be_used_is_one_sentence(
    folder: Path, entry: dict[str, object], expected: str
) -> None:
    """Everything about an evaluator is checked before the first target call."""
    assert expected in refused(folder, {"id": "a", **entry})


@pytest.mark.parametrize("given", ["", " ", " a", "a\u3000"])
def test_an_id_that_is_not_trimmed_text_is_refused(folder: Path, given: str) -> None:
    """Kernel 5.1."""
    assert "suite[0].id: " in refused(folder, {"id": given, "use": "text.equals_expected"})


def test_an_id_twice_is_refused(folder: Path) -> None:
    """DESIGN 3.1: no suffixes are invented."""
    entry = {"id": "a", "use": "text.equals_expected"}
    assert refused(folder, entry, entry) == "suite[1]: expected each id once, got 'a' again"


def test_a_suite_file_finds_its_graders_in_its_own_folder(folder: Path, tmp_path: Path) -> None:
    """DESIGN 8.1; the experiment may stand elsewhere."""
    (folder / "suite.json").write_text('[{"id": "a", "use": "own_graders:pair"}]')
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (assessment,) = read_suite("../suite.json", elsewhere)
    assert assessment.ids == ("a.brief", "a.kind")
    assert suite_folder("../suite.json", elsewhere) == folder.resolve()
    assert suite_folder([], elsewhere) == elsewhere


def test_a_fault_in_a_suite_file_has_a_line(folder: Path) -> None:
    """As in an experiment file."""
    (folder / "s.yaml").write_text("- {id: a, use: text.equals_expected}\n- id: b\n  ues: x\n")
    with pytest.raises(InputError, match=r"s.yaml, line 3, column 3: \[1\]: expected keys out of"):
        read_suite("s.yaml", folder)
    (folder / "s.yaml").write_text("id: a\n")
    with pytest.raises(InputError, match=r"s.yaml: expected a list of assessments"):
        read_suite("s.yaml", folder)
    with pytest.raises(InputError, match=r"none.yaml: expected a file, found none"):
        read_suite("none.yaml", folder)


def test_a_fault_in_an_experiments_suite_has_the_line_of_the_experiment(folder: Path) -> None:
    """The evaluator is looked up after the file was read, but the place is not lost."""
    path = folder / "e.yaml"
    path.write_text("name: x\ndataset: d\ntarget: a:b\nsuite:\n- id: a\n  use: text.contanis\n")
    experiment = read_experiment(path)
    with pytest.raises(InputError, match=r"e.yaml, line 6, column 3: suite\[0\].use: expected"):
        read_suite(experiment.settings.suite, experiment.base, place=experiment.place)


def test_what_a_suite_names_pickles(folder: Path) -> None:
    """Evaluators of isolation process travel to a worker."""
    words = {"with": {"words": ["x"]}}
    for assessment in (
        one(folder, use="text.contains", **{"with": {"value": "x"}}),
        one(folder, use="own_graders:tone", **words),
        one(folder, use="own_graders:Length"),
    ):
        evaluator = pickle.loads(pickle.dumps(assessment.evaluator))  # noqa: S301 - made here
        assert evaluator.descriptor.identity == assessment.evaluator.descriptor.identity


def test_a_case_has_assessments_of_its_own(folder: Path) -> None:
    """DESIGN 3.1: entries and objects, beside the run's; ids must not clash."""
    entry: dict[str, object] = {"id": "own", "use": "own_graders:length"}
    case = Case(id="c", input=1, suite=[entry, Assessment("object", equals_expected)])
    found = read_case_suite(case, folder, taken=("run",), place="cases.jsonl")
    assert [assessment.id for assessment in found] == ["own", "object"]
    with pytest.raises(InputError) as caught:
        read_case_suite(case, folder, taken=("own",), place="cases.jsonl")
    assert str(caught.value) == (
        "cases.jsonl, case 'c': suite[0]: expected each id once, got 'own' again"
    )
