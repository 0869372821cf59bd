"""Whether the answer is JSON of a Python type."""

from typing import Annotated, cast

from pydantic import PlainValidator, PydanticUserError, TypeAdapter, ValidationError
from typing_extensions import Doc

from assay.evaluators.errors import InvalidEvaluatorConfig, MalformedJson, NotJson
from assay.evaluators.excerpt import excerpt
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.setting import Imported
from assay.evaluators.structure.json_answer import json_answer
from assay.evaluators.structure.named_type import NamedType


class DecodableType(NamedType):
    """A type that pydantic can decode JSON into: a model, dataclass, TypedDict, built-in, ..."""

    def __init__(self, name: object) -> None:
        """Find it, and make its decoder.

        Raises:
            InvalidEvaluatorConfig: there is none, or pydantic does not know how to decode it.
        """
        super().__init__(name)
        try:
            self._adapter: TypeAdapter[object] = TypeAdapter(cast("type", self.type))
        except (PydanticUserError, NameError) as error:
            reason = str(error).partition("\n")[0][:200]
            msg = f"expected a type that pydantic can decode, got {excerpt(name, 60)}: {reason}"
            raise InvalidEvaluatorConfig(msg) from error

    def problem(self, text: str) -> str:
        """Why the JSON text does not fit, or empty when it does."""
        try:
            self._adapter.validate_json(text, strict=True, extra="forbid")
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            return f"{_path(first['loc'])}: {first['msg']}"[:300]
        return ""


def _path(location: tuple[str | int, ...]) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "$" + "".join(steps)


Into = Annotated[
    DecodableType,
    PlainValidator(DecodableType),
    Doc("a type or an import string 'module:type'"),
    Imported(),
]


@ready_made(
    revision="1",
    requires=("output",),
    guide=Guide(settings={"into": "dict"}, receipt={"output": '{"city": "Paris"}'}),
)
def decodes_as(sample: Sample, *, into: Into, lenient: bool = False) -> Checked:
    """Pass when the output is one JSON value that decodes into the type, strictly.

    Nothing is converted ("1" is no int), members that the type does not have are refused at every
    depth, as are trailing data and a key twice in an object. Fences are treated as by
    `json_schema`; a value that is not text is judged as the JSON that it is written as.

    Args:
        sample: Whose output is judged.
        into: A pydantic model, dataclass, TypedDict or other type, by its import string, or a
            built-in type by its name. Its source is part of the evaluator's identity.
        lenient: Also find the JSON among words, in one of several fences, or in an open one.
    """
    try:
        text = json_answer(sample.output, lenient=lenient)
    except (MalformedJson, NotJson) as error:
        return Checked(passed=False, reason=f"expected JSON: {error}")
    problem = into.problem(text)
    return Checked(passed=not problem, reason=problem)
