"""What the tests of text evaluators share: one way to ask an evaluator about an output."""

from collections.abc import Callable, Mapping

import pytest

from assay.evaluators.case import Case
from assay.evaluators.execution import Execution
from assay.evaluators.function import FunctionEvaluator
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample

_NONE: Mapping[str, object] = {}

Ask = Callable[..., Report]


@pytest.fixture(scope="session")
def ask() -> Ask:
    """Return what an evaluator with these settings says of an output."""

    def asked(
        evaluator: FunctionEvaluator[object],
        output: object,
        expected: object = None,
        settings: Mapping[str, object] = _NONE,
    ) -> Report:
        sample = Sample(Case(id="c", input=1, expected=expected), Execution(output=output))
        return evaluator.configured(settings).grade(sample)

    return asked
