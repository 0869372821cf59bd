"""What a run's plan and a grading's head say on disk."""

import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Literal

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import decode, spell
from assay.evaluators.suite import Suite
from assay.tasks.planned_case import PlannedCase
from assay.tasks.planned_run import PlannedRun
from assay.tasks.stored_cases import own_assessments

GradingOrigin = Literal["run", "resume", "regrade"]
"""What a grading came with.

The trials themselves; the trials of a run that went on with other evaluators; or a later look at
their receipts.
"""

_PACKAGES = ("assay-evals", "polars", "prefect", "pyarrow", "pydantic")


def plan_document(planned: PlannedRun) -> dict[str, object]:
    """The document from which a run can be resumed and graded again without its dataset file.

    It holds no secret: the arguments and the address of the target are masked, and the inputs that
    are masked among the cases are named, since the target would get another input from there.
    """
    return {
        "name": planned.settings.name,
        "fixture_id": planned.fixture_id,
        "masked_inputs": [name for name, case in planned.cases.items() if case.given is not None],
        "counts": planned.counts(),
        "versions": versions(),
        **changeable_document(planned),
    }


def changeable_document(planned: PlannedRun) -> dict[str, object]:
    """The part of a plan that may be another one when the run goes on."""
    file = planned.origin.file
    overrides = planned.origin.overrides.model_dump(mode="json", exclude_none=True)
    return {
        "experiment": settings_document(planned),
        "file": None if file is None else str(file),
        "overrides": planned.secrets.mask_value(overrides),
        "base": str(planned.base),
        "suite_base": str(planned.suite_base),
        "target": planned.secrets.mask_value(planned.target.identity.wire()),
        "assessments": [assessment_document(one) for one in planned.suite.assessments],
        "case_assessments": {
            case_id: [assessment_document(one) for one in case.assessments]
            for case_id, case in planned.cases.items()
            if case.assessments
        },
    }


def settings_document(planned: PlannedRun) -> object:
    """The settings in force, with every default filled in and secrets masked."""
    written: object = planned.settings.model_dump(mode="json", by_alias=True)
    return planned.secrets.mask_value(written)


def grading_document(
    suite: Suite, cases: Mapping[str, PlannedCase], fixture_id: str, *, origin: GradingOrigin
) -> dict[str, object]:
    """The head of a grading: which assessments it declares, for which cases."""
    own = {
        case_id: [each for one in assessments for each in one.ids]
        for case_id, assessments in own_assessments(cases).items()
    }
    return {
        "origin": origin,
        "fixture_id": fixture_id,
        "assessments": [assessment_document(one) for one in suite.assessments],
        "assessment_ids": list(suite.ids),
        "case_assessment_ids": own,
        "versions": versions(),
    }


def assessment_document(assessment: Assessment) -> dict[str, object]:
    """An assessment: its entry as written, where there is one, and who its evaluator is."""
    return {
        "id": assessment.id,
        "ids": list(assessment.ids),
        "entry": decode(assessment.entry) if assessment.entry else None,
        # The wire form keeps numbers as they were spelled; a document holds them as numbers.
        "evaluator": decode(spell(assessment.evaluator.descriptor.wire())),
    }


def versions() -> dict[str, str]:
    """The versions that decide what a run means: Python's and the packages'."""
    return {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}
