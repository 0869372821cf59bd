"""Rankings beside judgments, generated, and the reports of a ranking."""

from collections.abc import Callable

import pytest

from assay.evaluators.case import Case
from assay.evaluators.execution import Execution
from assay.evaluators.registry import find
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample

ReportOf = Callable[..., Report]


@pytest.fixture(scope="session")
def report_of() -> ReportOf:
    """What a ranking measure says of an output beside judgments."""

    def ask(measure: str, output: object, expected: object, **settings: object) -> Report:
        sample = Sample(Case(id="c", input=1, expected=expected), Execution(output=output))
        return find(f"ranking.{measure}").configured(settings).grade(sample)

    return ask
