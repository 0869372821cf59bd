"""What differs between expected and actual tool calls, in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from assay.evaluators.excerpt import excerpt
from assay.evaluators.execution import ToolCall
from assay.evaluators.trajectory.expected_call import ExpectedCall
from assay.evaluators.trajectory.recorded_calls import arguments_of

_MOST_SHOWN = 4


@dataclass(frozen=True, slots=True)
class CallDifference:
    """Calls that found no partner, in their order.

    Attributes:
        missing: Expected calls.
        unexpected: Actual calls.
        expected: The names of all expected calls.
        actual: The names of all actual calls.
    """

    missing: tuple[ExpectedCall, ...]
    unexpected: tuple[ToolCall, ...]
    expected: tuple[str, ...]
    actual: tuple[str, ...]

    @classmethod
    def of(
        cls,
        expected: Sequence[ExpectedCall],
        actual: Sequence[ToolCall],
        pairing: Sequence[int | None],
    ) -> Self:
        """What is left over when the pairs are taken away."""
        return cls(
            missing=tuple(
                one for one, place in zip(expected, pairing, strict=True) if place is None
            ),
            unexpected=tuple(call for place, call in enumerate(actual) if place not in pairing),
            expected=tuple(one.name for one in expected),
            actual=tuple(call.name for call in actual),
        )

    def text(self, *, extras_allowed: bool) -> str:
        """One line: missing and unexpected calls, wrong arguments, or a wrong order.

        Args:
            extras_allowed: Unexpected calls are no fault then, and only stand in for a missing call
                of the same name.
        """
        others = list(self.unexpected)
        parts: list[str] = []
        for one in self.missing:
            twin = next((call for call in others if call.name == one.name), None)
            if twin is None:
                parts.append(f"missing {_spelled(one)}")
            else:
                others.remove(twin)
                got = excerpt(arguments_of(twin))
                parts.append(f"expected {_spelled(one)}, got arguments {got}")
        if not extras_allowed:
            parts += [f"unexpected {call.name}({excerpt(arguments_of(call))})" for call in others]
        return _bounded(parts) if parts else self._order()

    def _order(self) -> str:
        return f"expected the order {excerpt(self.expected)}, got {excerpt(self.actual)}"


def _spelled(call: ExpectedCall) -> str:
    if call.any_arguments:
        return f"{call.name}(...)"
    values = {
        name: right[0] if len(right) == 1 else {"one of": right}
        for name, right in call.values.items()
    }
    return f"{call.name}({excerpt(values)})"


def _bounded(parts: Sequence[str]) -> str:
    more = len(parts) - _MOST_SHOWN
    return "; ".join(parts[:_MOST_SHOWN]) + (f"; and {more} more" if more > 0 else "")
