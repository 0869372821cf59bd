"""Who judged in a grading: as its head and its plan say, and where they do not, its grades."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from assay.evaluators.canonical import decode
from assay.evaluators.errors import MalformedJson
from assay.tasks.declared_results import DeclaredResults
from assay.tasks.redacted_report import RedactedEvaluator
from assay.tasks.store import GradingStore, RunStore

Place = tuple[str | None, str]
"""A case that declares an assessment, or None for the suite, and the id of its result."""


def redacted_evaluators(
    run: RunStore, grading: GradingStore, cases: Sequence[str]
) -> dict[Place, RedactedEvaluator]:
    """The evaluators by what they judge: those of the suite first, then those of the cases.

    Args:
        run: The run.
        grading: One of its gradings.
        cases: Ids of the cases that it grades, in order.

    Raises:
        StoreError: a part cannot be read.
        InvalidReport: a name is longer than a report takes.
    """
    declared = DeclaredResults.read(grading)
    suite = _heads(grading.info.get("assessments"))
    heads: dict[Place, Mapping[str, object]] = {(None, result): head for result, head in suite}
    own = run.plan.get("case_assessments")
    for case_id in cases:
        by_result = dict(_heads(own.get(case_id) if isinstance(own, dict) else None))
        mine = declared.own.get(case_id, frozenset())
        heads |= {(case_id, result): by_result[result] for result in by_result if result in mine}
    heads = _with_graded(heads, declared, grading)
    return {place: _evaluator(place, head) for place, head in heads.items()}


def _heads(assessments: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Each result id of stored assessments, with the members of its evaluator."""
    for one in assessments if isinstance(assessments, list) else ():
        evaluator = one.get("evaluator") if isinstance(one, dict) else None
        if isinstance(evaluator, dict):
            yield from ((str(result), evaluator) for result in one.get("ids", ()))


def _with_graded(
    heads: dict[Place, Mapping[str, object]], declared: DeclaredResults, grading: GradingStore
) -> dict[Place, Mapping[str, object]]:
    """The same with what grades name beside: a case of a corrected dataset, say."""
    texts = grading.identities()
    found = grading.grades(["case_id", "assessment_id", "evaluator"])
    rows = found.unique().with_columns(pl.all().cast(pl.String)).sort(pl.all()).iter_rows()
    for case_id, result, evaluator in rows:
        is_own = result in declared.own.get(case_id, frozenset())
        place = (case_id if is_own else None, result)
        if place not in heads:
            heads[place] = {**_members(texts.get(evaluator)), "identity": evaluator}
    return heads


def _members(identity: tuple[str, str] | None) -> Mapping[str, object]:
    try:
        members = decode(identity[1]) if identity is not None else {}
    except MalformedJson:
        members = {}
    return members if isinstance(members, dict) else {}


def _evaluator(place: Place, head: Mapping[str, object]) -> RedactedEvaluator:
    case_id, result = place
    return RedactedEvaluator.model_validate(
        {
            "assessment": result,
            "case_id": case_id,
            "name": str(head.get("name", "")),
            "revision": str(head.get("revision", "")),
            "method": head.get("method", "programmatic"),
            "digest": head.get("identity"),
        }
    )
