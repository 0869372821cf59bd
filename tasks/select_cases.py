"""The part of a dataset that an experiment runs."""

from collections.abc import Sequence

from assay.evaluators.case import Case
from assay.evaluators.errors import InputError
from assay.tasks.documents.places import bounded, close_match

_MOST_NAMED = 5


def select_cases(
    cases: tuple[Case, ...],
    *,
    limit: int | None = None,
    select: Sequence[str] | None = None,
    place: str = "",
) -> tuple[Case, ...]:
    """The selected cases, in the order of the dataset.

    Args:
        cases: All of them.
        limit: Take the first so many.
        select: Take those of these ids; not together with `limit`.
        place: Where the cases are from, for errors.

    Raises:
        InputError: when a selected id is not there, or both are given.
    """
    if limit is not None and select is not None:
        msg = "expected either limit or select, got both"
        raise InputError(msg, place=place, kind="dataset")
    if limit is not None:
        return _first(cases, limit, place)
    return cases if select is None else _selected(cases, select, place)


def _first(cases: tuple[Case, ...], limit: int, place: str) -> tuple[Case, ...]:
    if limit < 1:
        msg = f"expected a limit of at least 1, got {limit}"
        raise InputError(msg, place=place, kind="dataset")
    return cases[:limit]


def _selected(cases: tuple[Case, ...], select: Sequence[str], place: str) -> tuple[Case, ...]:
    known = {case.id: case for case in cases}
    unknown = [case_id for case_id in select if case_id not in known]
    if unknown:
        names = ", ".join(bounded(case_id) for case_id in unknown[:_MOST_NAMED])
        rest = len(unknown) - _MOST_NAMED
        more = f" and {rest} more" if rest > 0 else ""
        hint = close_match(unknown[0], known)
        msg = f"expected selected ids to be ids of cases, found no {names}{more}{hint}"
        raise InputError(msg, place=place, kind="dataset")
    wanted = set(select)
    return tuple(case for case in cases if case.id in wanted)
