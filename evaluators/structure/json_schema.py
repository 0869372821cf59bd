"""Whether the answer is JSON that fits a schema."""

from assay.evaluators.canonical import decode
from assay.evaluators.errors import MalformedJson, NotJson
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.structure.compiled_schema import Schema
from assay.evaluators.structure.json_answer import json_answer


@ready_made(
    revision="1",
    requires=("output",),
    guide=Guide(
        settings={"schema": {"type": "object", "required": ["city"]}},
        receipt={"output": '```json\n{"city": "Paris"}\n```'},
    ),
)
def json_schema(sample: Sample, *, schema: Schema, lenient: bool = False) -> Checked:
    """Pass when the output is one JSON value that is valid under the schema, draft 2020-12.

    Text may stand in one Markdown fence; anything before or behind the fence, more than one value,
    a key twice in an object and NaN are no JSON, and fail. A value that is not text is judged as
    the JSON that it is written as. 1.0 is an integer, true is no number. References never reach the
    network; one that leads nowhere is refused at once, as is an invalid schema. A schema with
    patterns runs in a process that is killed at the time limit.

    Args:
        sample: Whose output is judged.
        schema: The JSON Schema; `$schema` may name another draft.
        lenient: Also find the JSON among words, in one of several fences, or in an open one.

    References:
        JSON Schema draft 2020-12, by the package jsonschema.
    """
    try:
        value = decode(json_answer(sample.output, lenient=lenient))
    except (MalformedJson, NotJson) as error:
        return Checked(passed=False, reason=f"expected JSON: {error}")
    problem = schema.problem(value)
    return Checked(passed=not problem, reason=problem)
