"""A ranking beside the judgments that it is measured against."""

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator

from assay.evaluators.errors import AssayError
from assay.evaluators.ranking.invalid_sample import InvalidSample
from assay.evaluators.ranking.judgment import Judgment
from assay.evaluators.record import Items, Record, kind_of, require_text
from assay.evaluators.sample import Sample


class JudgedRanking(Record):
    """What every ranking measure is calculated from.

    Attributes:
        ranking: Identities, best first; may be empty, none twice.
        judgments: Grades of items, ranked or not; none twice, at least one above 0, because
            without a relevant item no measure says anything.

    Raises:
        InvalidSample: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidSample

    ranking: Items[str] = ()
    judgments: Items[Judgment]

    @model_validator(mode="after")
    def _check(self) -> Self:
        for index, identity in enumerate(self.ranking):
            require_text(identity, f"ranking[{index}]", InvalidSample)
        if len(set(self.ranking)) != len(self.ranking):
            raise self.refuse("ranking: expected each identity once")
        if len(self.grades) != len(self.judgments):
            raise self.refuse("judgments: expected each identity once")
        if not any(grade > 0 for grade in self.grades.values()):
            raise self.refuse("judgments: expected at least one relevance above 0")
        return self

    @cached_property
    def grades(self) -> Mapping[str, float]:
        """The relevance of every judged identity."""
        return {judgment.identity: judgment.relevance for judgment in self.judgments}

    @classmethod
    def of(cls, sample: Sample) -> Self:
        """The ranking of the sample's output, with the judgments of its expected value.

        Raises:
            InvalidSample: when one of them is not in a form that the package's docstring names.
            IncompleteRecording: when there is no output.
            Skip: when the case has no expected value.
        """
        judgments = _judgments(sample.expected)
        ranking = sample.output
        if not isinstance(ranking, list | tuple):
            msg = f"ranking: expected an output that is a list, got {kind_of(ranking)}"
            raise InvalidSample(msg)
        return cls.model_validate({"ranking": tuple(ranking), "judgments": judgments})


def _judgments(expected: object) -> tuple[Judgment, ...]:
    if isinstance(expected, Mapping):
        return tuple(_judgment({"identity": one, "relevance": expected[one]}) for one in expected)
    if isinstance(expected, list | tuple):
        return tuple(_judgment(one) for one in expected)
    got = kind_of(expected)
    msg = f"judgments: expected an expected value that is an object or a list, got {got}"
    raise InvalidSample(msg)


def _judgment(item: object) -> Judgment:
    if isinstance(item, Mapping):
        return Judgment.model_validate(dict(item))
    return Judgment.model_validate({"identity": item, "relevance": 1.0})
