"""Evaluation of LLM applications and agents as a Prefect pipeline.

The front door: `from assay import Case, Dataset, Suite, evaluator, evaluate`. Names are imported
on first use, so that `import assay` stays cheap and loads neither Prefect nor polars.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.evaluators.assessment import Assessment
    from assay.evaluators.case import Case
    from assay.evaluators.dataset import Dataset
    from assay.evaluators.errors import Skip, TargetError
    from assay.evaluators.execution import Execution
    from assay.evaluators.function import evaluator
    from assay.evaluators.measured import Measured
    from assay.evaluators.sample import Sample
    from assay.evaluators.suite import Suite
    from assay.flows.evaluate import evaluate
    from assay.tasks.plan import Plan

__all__ = [
    "Assessment",
    "Case",
    "Dataset",
    "Execution",
    "Measured",
    "Plan",
    "Sample",
    "Skip",
    "Suite",
    "TargetError",
    "__version__",
    "evaluate",
    "evaluator",
]

__version__ = version("assay-evals")

_HOMES = {
    "Assessment": "assay.evaluators.assessment",
    "Case": "assay.evaluators.case",
    "Dataset": "assay.evaluators.dataset",
    "Execution": "assay.evaluators.execution",
    "Measured": "assay.evaluators.measured",
    "Plan": "assay.tasks.plan",
    "Sample": "assay.evaluators.sample",
    "Skip": "assay.evaluators.errors",
    "Suite": "assay.evaluators.suite",
    "TargetError": "assay.evaluators.errors",
    "evaluate": "assay.flows.evaluate",
    "evaluator": "assay.evaluators.function",
}


if not TYPE_CHECKING:  # a type checker must still refuse a misspelt name

    def __getattr__(name: str) -> object:
        """The public name, imported on first use and kept.

        Raises:
            AttributeError: the package offers no such name.
        """
        if name not in _HOMES:
            message = f"module 'assay' has no attribute {name!r}"
            raise AttributeError(message)
        value: object = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """The public names, those not imported yet included."""
    return sorted(__all__)
