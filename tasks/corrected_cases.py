"""Cases of a run whose expected values or metadata were corrected since, but not their inputs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from typing_extensions import override

from assay.evaluators.errors import InputError
from assay.tasks.plan_case import fixture_of
from assay.tasks.planned_case import PlannedCase


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The cases that a corrected dataset leaves without a grade, by why.

    Attributes:
        changed_input: Their input is another one, so the old answers do not answer it.
        vanished: The dataset no longer has them.
        new: The run never had them.
    """

    changed_input: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    @override
    def __str__(self) -> str:
        """How many, by why."""
        counts = ((len(ids), reason.replace("_", " ")) for reason, ids in asdict(self).items())
        return ", ".join(f"{count} {reason}" for count, reason in counts)

    def document(self) -> dict[str, list[str]]:
        """The ids by reason, for the head of a grading and for machines."""
        return {reason: list(ids) for reason, ids in asdict(self).items()}


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedCases:
    """The cases that can be graded with a corrected dataset.

    Attributes:
        cases: By id, in the order of the dataset.
        left_out: The others.
    """

    cases: Mapping[str, PlannedCase]
    left_out: LeftOut

    @property
    def fixture_id(self) -> str:
        """The identity of just these cases."""
        return fixture_of(self.cases.values())


def corrected_cases(
    corrected: Mapping[str, PlannedCase], before: Mapping[str, PlannedCase], *, place: str
) -> CorrectedCases:
    """The corrected cases whose input is what the run asked.

    Args:
        corrected: By id, in the order of the dataset.
        before: The cases of the run, by id.
        place: Where the dataset is, for errors.

    Raises:
        InputError: when there is no such case.
    """
    shared = [name for name in corrected if name in before]
    kept = [name for name in shared if _same_input(corrected[name], before[name])]
    same = frozenset(kept)
    left_out = LeftOut(
        changed_input=tuple(name for name in shared if name not in same),
        vanished=tuple(name for name in before if name not in corrected),
        new=tuple(name for name in corrected if name not in before),
    )
    if not kept:
        message = f"expected cases of the run with the inputs that they had, got {left_out}"
        raise InputError(message, place=place, kind="dataset")
    return CorrectedCases({name: corrected[name] for name in kept}, left_out)


def _same_input(one: PlannedCase, other: PlannedCase) -> bool:
    return one.input_digest == other.input_digest
