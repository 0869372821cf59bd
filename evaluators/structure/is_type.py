"""Whether the answer is of a Python type."""

import types
import typing
from collections.abc import Iterator
from decimal import Decimal
from numbers import Number
from typing import Annotated

from pydantic import PlainValidator
from typing_extensions import Doc

from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.excerpt import excerpt
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.setting import Imported
from assay.evaluators.structure.named_type import NamedType


class InstanceTypes:
    """One or several types that a value can be an instance of.

    Attributes:
        names: As they were given.
        code: The digests of the sources that define them; empty for built-in types.
    """

    def __init__(self, names: object) -> None:
        """Find them.

        Raises:
            InvalidEvaluatorConfig: one is no type that values are instances of, or there is none.
        """
        found = [NamedType(name) for name in (names if isinstance(names, list) else [names])]
        if not found:
            msg = "expected at least one type, got none"
            raise InvalidEvaluatorConfig(msg)
        self.names = tuple(one.name for one in found)
        self.code = " ".join(one.code for one in found if one.code)
        self._classes = tuple(kind for one in found for kind in _classes(one))

    def hold(self, value: object) -> bool:
        """True if the value is an instance of one; a boolean is an instance of no number type."""
        if not isinstance(value, bool):
            return isinstance(value, self._classes)
        return any(isinstance(value, one) and not _is_number(one) for one in self._classes)


def _classes(named: NamedType) -> Iterator[type]:
    is_union = typing.get_origin(named.type) in (typing.Union, types.UnionType)
    for member in typing.get_args(named.type) if is_union else (named.type,):
        kind = typing.get_origin(member) or member
        try:
            isinstance(None, kind)
        except TypeError as error:
            msg = f"expected a type that values are instances of, got {excerpt(named.name, 60)}"
            raise InvalidEvaluatorConfig(msg) from error
        yield kind


def _is_number(kind: type) -> bool:
    return kind is not bool and issubclass(kind, (int, float, complex, Decimal, Number))


Types = Annotated[
    InstanceTypes,
    PlainValidator(InstanceTypes),
    Doc("a type, an import string 'module:type', or a list of these"),
    Imported(),
]


@ready_made(
    revision="1",
    requires=("output",),
    guide=Guide(settings={"types": ["number", "None"]}, receipt={"output": 1.5}),
)
def is_type(sample: Sample, *, types: Types) -> Checked:
    """Pass when the output is an instance of one of the types, subclasses included.

    True and false are no numbers: bool takes them, and what is no number type (object, Hashable).
    Of a generic type such as list[int] only the list is looked at. In a run the output is the JSON
    of the receipt: str, int, float, bool, None, list or dict.

    Args:
        sample: Whose output is judged.
        types: Built-in types by their names (`number` is any number), others by import string, such
            as `collections.abc:Sequence`; runtime-checkable protocols work.
    """
    output = sample.output
    if types.hold(output):
        return Checked(passed=True)
    wanted = " or ".join(types.names)
    return Checked(passed=False, reason=f"expected {wanted}, got {type(output).__name__}")
