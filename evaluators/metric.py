"""The identity of a calculation: equal metrics may be averaged, others never."""

from functools import cached_property
from typing import ClassVar, Literal, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, digest, write
from assay.evaluators.errors import AssayError, InvalidMetric
from assay.evaluators.open_map import Metadata, OpenMap
from assay.evaluators.record import Record, read_text, require_text

Direction = Literal["", "higher_is_better", "lower_is_better"]
"""Which way a raw measurement improves; empty when nobody said. A score is always higher."""

_MEMBERS = ("namespace", "name", "unit", "direction", "parameters")


class Metric(Record):
    """What was calculated, with which parameters: two metrics are one only if all five agree.

    Thresholds do not belong here: they are a decision's parameters. Number spelling in parameters
    is part of the identity (`1` and `1.0` are two metrics), white space and member order are not.

    Attributes:
        name: Non-empty, trimmed, without `/`.
        namespace: Empty, or trimmed and without `/`; the family for ready-made evaluators.
        unit: Unit of a raw measurement, such as `second`; may be empty.
        direction: Which way a raw measurement improves.
        parameters: Settings of the calculation, kept in canonical spelling.

    Raises:
        InvalidMetric: when a member breaks its rule.

    Examples:
        >>> str(Metric(name="accuracy", namespace="quality"))
        'quality/accuracy'
    """

    category: ClassVar[type[AssayError]] = InvalidMetric

    name: str
    namespace: str = ""
    unit: str = ""
    direction: Direction = ""
    parameters: Metadata = OpenMap()

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.namespace, "metric.namespace", InvalidMetric, empty=True)
        require_text(self.name, "metric.name", InvalidMetric)
        require_text(self.unit, "metric.unit", InvalidMetric, empty=True)
        for field, text in (("namespace", self.namespace), ("name", self.name)):
            if "/" in text:
                raise self.refuse(f"metric.{field}: expected no '/'")
        object.__setattr__(self, "parameters", self.parameters.canonical())
        return self

    @override
    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    @override
    def __hash__(self) -> int:
        return hash(self.identity)

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and self.identity == other.identity

    @cached_property
    def identity(self) -> str:
        """The canonical JSON of all five members."""
        return write(self.wire())

    @cached_property
    def digest(self) -> str:
        """The digest of the identity."""
        return digest(self.identity)

    @override
    def wire(self) -> Json:
        """The JSON form; optional members are left out when empty."""
        tree: dict[str, Json] = {"name": self.name}
        for member in ("namespace", "unit", "direction"):
            if getattr(self, member):
                tree[member] = getattr(self, member)
        if self.parameters:
            tree["parameters"] = self.parameters.wire()
        return tree

    @classmethod
    def from_wire(cls, tree: Json) -> Self:
        """The metric that a parsed wire object spells; raises InvalidMetric."""
        members = cls.members(tree, _MEMBERS, "metric")
        texts = {
            member: read_text(members.get(member), f"metric.{member}", InvalidMetric)
            for member in ("namespace", "name", "unit", "direction")
        }
        try:
            parameters = OpenMap.from_wire(members.get("parameters"))
        except AssayError as error:
            msg = f"metric.parameters: {error}"
            raise InvalidMetric(msg) from error
        return cls.model_validate({**texts, "parameters": parameters})

    @classmethod
    def decode(cls, text: str | bytes) -> Self:
        """The metric that a JSON text spells; raises InvalidMetric."""
        return cls.from_wire(cls.tree_of(text))
