"""Whether the harness's totals are those of the tasks that were collected."""

from collections.abc import Callable, Iterable, Sequence

from assay.evaluators.swebench.errors import InvalidArtifacts
from assay.evaluators.swebench.outcome import Outcome, Status
from assay.evaluators.swebench.run_results import RunResults

_BY_STATUS: dict[str, Status] = {
    "incomplete_ids": "missing_prediction",
    "resolved_ids": "resolved",
    "unresolved_ids": "unresolved",
    "empty_patch_ids": "empty_patch",
    "error_ids": "error",
}
_BLAMABLE = ("error", "unresolved")


def require_reconciled(results: RunResults, outcomes: Sequence[Outcome]) -> None:
    """Raise InvalidArtifacts unless the results say of every task what was collected of it.

    Args:
        results: The harness's totals.
        outcomes: What was collected, one for each selected task.

    Raises:
        InvalidArtifacts: a total or a list differs, or a task is called failed that was not.
    """
    if results.total_instances != len(outcomes):
        raise InvalidArtifacts(
            f"results.total_instances: expected {len(outcomes)}, got {results.total_instances}"
        )
    for member, belongs in _expectations().items():
        expected = (one.instance_id for one in outcomes if belongs(one))
        _require_same(member, expected, results.ids(member))
    blamable = {one.instance_id for one in outcomes if one.status in _BLAMABLE}
    wrong = sorted(set(results.failure_reasons) - blamable)
    if wrong:
        raise InvalidArtifacts(
            f"results.failure_reasons: expected unresolved tasks and errors, got {wrong[0][:60]!r}"
        )


def _expectations() -> dict[str, Callable[[Outcome], bool]]:
    return {
        "submitted_ids": lambda one: one.status != "missing_prediction",
        "completed_ids": lambda one: one.completed,
        **{member: _has(status) for member, status in _BY_STATUS.items()},
    }


def _has(status: Status) -> Callable[[Outcome], bool]:
    return lambda one: one.status == status


def _require_same(member: str, expected: Iterable[str], got: Sequence[str]) -> None:
    different = sorted({*expected} ^ {*got})
    if different:
        name = different[0]
        side = "not to have" if name in got else "to have"
        raise InvalidArtifacts(f"results.{member}: expected it {side} {name[:60]!r}")
