"""A normalised grade: 0 is worst, 1 is best."""

from typing import Annotated, Self

from pydantic import BeforeValidator
from typing_extensions import override

from assay.evaluators.canonical import number_text
from assay.evaluators.decision import Decision
from assay.evaluators.errors import InvalidScore
from assay.evaluators.open_map import OpenMap


class Score(float):
    """A finite number in [0, 1], higher is better.

    Raises:
        InvalidScore: for NaN, an infinity, a value outside [0, 1], or anything but a number
            (a bool is a decision, not a score).

    Examples:
        >>> Score(0.8).decide(0.8).verdict
        'pass'
    """

    __slots__ = ()

    def __new__(cls, value: float) -> Self:
        """Check the range."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            msg = f"expected a number in [0, 1], got {type(value).__name__}"
            raise InvalidScore(msg)
        if not 0 <= value <= 1:
            shown = number_text(value) if isinstance(value, int) else repr(float(value))
            msg = f"expected a number in [0, 1], got {shown[:60]}"
            raise InvalidScore(msg)
        return super().__new__(cls, value)

    @override
    def __repr__(self) -> str:
        return f"Score({float(self)!r})"

    def decide(self, threshold: float) -> Decision:
        """Pass when the score is at least the threshold, exactly and without tolerance.

        Args:
            threshold: A number in [0, 1]; its spelling is part of the rule, so -0.0 is not 0.

        Raises:
            InvalidScore: when the threshold is outside [0, 1].
        """
        try:
            limit = Score(threshold)
        except InvalidScore as error:
            msg = f"threshold: {error}"
            raise InvalidScore(msg) from error
        return Decision(
            policy="threshold",
            verdict="pass" if float(self) >= float(limit) else "fail",
            parameters=OpenMap.of({"threshold": float(limit)}),
        )


def _as_score(value: object) -> object:
    if value is None or isinstance(value, Score):
        return value
    try:
        return Score(value)  # type: ignore[arg-type]  # it refuses what is no number
    except InvalidScore as error:
        msg = f"score: {error}"
        raise InvalidScore(msg) from error


OptionalScore = Annotated[Score | None, BeforeValidator(_as_score)]
"""A field that takes a score, a number in [0, 1], or None where nothing was scored."""
