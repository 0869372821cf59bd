"""What each ready-made evaluator costs on outputs of 1 KB and 100 KB, and what peers cost.

Run it as `python benchmarks/evaluators.py [NAME ...]`, where a name is a family or an evaluator. A
figure is CPU microseconds a call, the lower median of five turns. A peer does the same work in the
same run, turn by turn, so that its ratio means something: a library that grades, or the bare
function of the library that ours is made of, which is a floor.
"""

import json
import os
import platform
import random
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

import jsonschema
import sacrebleu
from pydantic_evals.evaluators import (
    Contains,
    EqualsExpected,
    Evaluator,
    EvaluatorContext,
    IsInstance,
)
from pydantic_evals.otel import SpanTree
from rapidfuzz.distance import Levenshtein
from rich.console import Console
from rich.table import Table

from assay.evaluators.case import Case
from assay.evaluators.execution import Execution
from assay.evaluators.registry import READY_MADE
from assay.evaluators.sample import Sample

KB = 1000
SIZES = (1 * KB, 100 * KB)
TURNS = 5
SECONDS = 0.05
PACKAGES = ("assay-evals", "pydantic-evals", "jsonschema", "rapidfuzz", "sacrebleu", "google-re2")
WORDS = ["the", "cat", "sat", "on", "a", "mat", "while", "rain", "fell", "over", "Vienna", "today"]
SCHEMA = {
    "type": "object",
    "required": ["items"],
    "properties": {"items": {"type": "array", "items": {"type": "object", "required": ["n", "s"]}}},
}

Peer = Callable[[Sample], object]


def prose(size: int, seed: int = 1) -> str:
    """So many characters of words, the same every time."""
    chosen = random.Random(seed)  # noqa: S311 - no secret
    return " ".join(chosen.choice(WORDS) for _ in range(size // 4))[:size]


def document(size: int) -> str:
    """A JSON object of about so many characters."""
    return json.dumps({"items": [{"n": n, "s": "x" * 20} for n in range(size // 37)]})


@dataclass(frozen=True)
class Entry:
    """An evaluator, what it grades, and who does the same.

    Attributes:
        use: Its name in suites.
        settings: Those it is measured with.
        output: The output of a size.
        expected: The expected value of a size.
        receipt: Other members of the execution.
        peers: By name; each is called with the sample.
        longest: The largest size, where one takes seconds.
    """

    use: str
    settings: Mapping[str, object] = field(default_factory=dict)
    output: Callable[[int], object] = prose
    expected: Callable[[int], object] = lambda size: prose(size, 2)
    receipt: Mapping[str, object] = field(default_factory=dict)
    peers: Mapping[str, Peer] = field(default_factory=dict)
    longest: int = SIZES[-1]

    def sample(self, size: int) -> Sample:
        """What it is measured on."""
        case = Case(id="c", input="question", expected=self.expected(size))
        members = {"status": "completed", "output": self.output(size), **self.receipt}
        return Sample(case, Execution.from_value(members))


def pydantic_evals(evaluator: Evaluator[object, object, object]) -> Peer:
    """An evaluator of pydantic-evals on the same output and expected value."""

    def call(sample: Sample) -> object:
        return evaluator.evaluate(
            EvaluatorContext(
                name="c",
                inputs=sample.input,
                metadata=None,
                expected_output=sample.expected,
                output=sample.output,
                duration=0.0,
                _span_tree=SpanTree(),
                attributes={},
                metrics={},
            )
        )

    return call


VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
PATTERN = re.compile(r"\d+ (km|mi)")
USAGE = {"usage": {"input_tokens": 400, "output_tokens": 90, "model_calls": 2}}

# A line for each evaluator; families add theirs.
ENTRIES = [
    Entry(
        "text.equals_expected",
        expected=prose,
        peers={"pydantic-evals": pydantic_evals(EqualsExpected())},
    ),
    Entry("text.equals", {"value": "Paris"}),
    Entry(
        "text.contains",
        {"value": "Graz"},
        peers={"pydantic-evals": pydantic_evals(Contains(value="Graz"))},
    ),
    Entry(
        "text.regex",
        {"pattern": PATTERN.pattern},
        peers={"re.search": lambda sample: PATTERN.search(str(sample.output))},
    ),
    Entry("text.required_text", {"phrases": ["Vienna", "rain"]}),
    Entry("text.forbidden_text", {"phrases": ["Graz", "snow"]}),
    Entry("text.rouge1"),
    Entry(
        "text.bleu",
        peers={
            "sacrebleu": lambda sample: sacrebleu.sentence_bleu(
                str(sample.output), [str(sample.expected)]
            )
        },
    ),
    Entry(
        "text.chrf",
        peers={
            "sacrebleu": lambda sample: sacrebleu.sentence_chrf(
                str(sample.output), [str(sample.expected)]
            )
        },
    ),
    Entry(
        "text.edit_similarity",
        peers={
            "rapidfuzz": lambda sample: Levenshtein.normalized_similarity(
                str(sample.output), str(sample.expected)
            )
        },
    ),
    Entry(
        "text.numeric_match",
        output=lambda size: prose(size) + " makes 42.",
        expected=lambda _: 42,
    ),
    Entry(
        "text.multiple_choice",
        output=lambda size: prose(size) + " so the answer is C",
        expected=lambda _: "C",
    ),
    Entry(
        "structure.json_schema",
        {"schema": SCHEMA},
        output=document,
        peers={"jsonschema": lambda sample: VALIDATOR.is_valid(json.loads(str(sample.output)))},
    ),
    Entry("structure.decodes_as", {"into": "dict"}, output=document),
    Entry(
        "structure.is_type",
        {"types": "str"},
        peers={"pydantic-evals": pydantic_evals(IsInstance(type_name="str"))},
    ),
    Entry(
        "structure.schema_result",
        receipt={"metadata": {"evidence": [{"kind": "structured_output", "id": "a"}]}},
    ),
    Entry("operation.completed"),
    Entry("operation.max_cost", {"limit": 1}, receipt={"cost": 0.5}),
    Entry("operation.max_duration", {"limit": 20}, receipt={"duration_seconds": 3.5}),
    Entry("operation.max_tokens", {"limit": 1000}, receipt=USAGE),
    Entry("operation.max_tool_calls", {"limit": 3}, receipt={"tool_calls": [{"name": "t"}]}),
    Entry("operation.max_turns", {"limit": 3}, receipt=USAGE),
]


def turn(call: Callable[[], object]) -> float:
    """CPU microseconds a call, over as many calls as a short while holds."""
    calls, started, used = 0, time.process_time(), 0.0
    while used < SECONDS:
        call()
        calls += 1
        used = time.process_time() - started
    return used * 1e6 / calls


def interleaved(calls: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The lower median of each over the turns, which they take one after the other."""
    for call in calls.values():
        call()  # what is made once is not a cost of each call
    turns = [{name: turn(call) for name, call in calls.items()} for _ in range(TURNS)]
    return {name: sorted(one[name] for one in turns)[(TURNS - 1) // 2] for name in calls}


def figures(entry: Entry, size: int) -> dict[str, float]:
    """Microseconds of the evaluator, under the empty name, and of its peers."""
    evaluator = READY_MADE[entry.use].configured(entry.settings)
    sample = entry.sample(size)
    peers = {name: (lambda peer=peer: peer(sample)) for name, peer in entry.peers.items()}
    return interleaved({"": lambda: evaluator.grade(sample), **peers})


def main(names: list[str]) -> None:
    """Measure and print."""
    table = Table(title="CPU microseconds of a call (lower median of 5 turns)")
    table.add_column("evaluator", no_wrap=True)
    for size in SIZES:
        table.add_column(f"{size // KB} KB", justify="right")
        table.add_column("beside it")
    for entry in ENTRIES:
        if names and not {entry.use, entry.use.partition(".")[0]} & set(names):
            continue
        cells = [entry.use]
        for size in SIZES:
            found = figures(entry, size) if size <= entry.longest else {}
            ours = found.pop("", None)
            cells.append("" if ours is None else f"{ours:,.1f}")
            ratios = [f"{name} {us:,.1f}, ratio {ours / us:.2f}" for name, us in found.items()]
            cells.append("; ".join(ratios))
        table.add_row(*cells)
    console = Console(width=120)
    console.print(table)
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    console.print(f"Python {platform.python_version()}, {os.cpu_count()} cores; {versions}")


if __name__ == "__main__":
    main(sys.argv[1:])
