"""One evaluator object, asked by many trials at once."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from assay.evaluators.case import Case
from assay.evaluators.execution import Execution
from assay.evaluators.function import FunctionEvaluator
from assay.evaluators.registry import READY_MADE
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.flows.terminal.show_evaluators import example_entry
from assay.tasks.read_suite import read_suite

THREADS = 8
OUTPUTS = ["Paris", "C", "1,000", '{"city": "Paris"}', "", "the cat sat", "das ist Straße 7", "(B)"]


def example(use: str, output: str) -> Sample:
    """The example's case and receipt with another output, where it has one at all."""
    guide = READY_MADE[use].guide
    receipt = {"status": "completed", **guide.receipt}
    if isinstance(guide.receipt.get("output"), str):
        receipt["output"] = output
    case = Case.model_validate({"id": "c", "input": "question", **guide.case})
    return Sample(case, Execution.from_value(receipt))


def meeting(
    barrier: threading.Barrier, call: Callable[[Sample], Report], sample: Sample
) -> list[str]:
    """Several reports, begun when everybody is there."""
    barrier.wait(timeout=30)
    return [call(sample).encode() for _ in range(5)]


@pytest.mark.parametrize(
    "use", [use for use in sorted(READY_MADE) if READY_MADE[use].guide.receipt]
)
def test_concurrent_trials_never_see_each_other(use: str, tmp_path: Path) -> None:
    """Fault B53: every thread gets the report that it would have got alone."""
    (assessment,) = read_suite([example_entry(use, READY_MADE[use])], tmp_path)
    shared = assessment.evaluator
    assert isinstance(shared, FunctionEvaluator)
    samples = [example(use, output) for output in OUTPUTS]
    alone = [[shared.grade(sample).encode()] * 5 for sample in samples]
    barrier = threading.Barrier(THREADS)
    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(lambda one: meeting(barrier, shared.grade, one), samples))
    assert together == alone
