"""A pattern that would never end, as a suite of a run asks for it."""

import asyncio
import time
from pathlib import Path

from assay.evaluators.case import Case
from assay.evaluators.execution import Execution
from assay.evaluators.limits import Limits
from assay.evaluators.sample import Sample
from assay.evaluators.suite import Suite
from assay.tasks.evaluator_process import EvaluatorProcesses
from assay.tasks.read_suite import read_suite


def test_a_pattern_that_backtracks_for_ever_is_killed_at_its_limit() -> None:
    """Fault B32: it holds the interpreter, so that only the end of its process ends it."""
    entry = {"id": "trap", "use": "text.regex", "with": {"pattern": r"^(a+)+\b!"}}
    suite = Suite(read_suite([entry], Path()))
    sample = Sample(Case(id="c", input=1), Execution(output="a" * 40 + "b"))
    started = time.perf_counter()
    with EvaluatorProcesses(max_workers=1) as processes:
        limits = Limits(timeout_seconds=0.5, runner=processes)
        run = asyncio.run(suite.run(sample, limits=limits))
    (result,) = run.result.results
    assert (result.status, result.error_class) == ("failed", "timeout")
    assert time.perf_counter() - started < 30
