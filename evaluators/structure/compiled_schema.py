"""A JSON Schema that is checked once and held against many values."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Protocol, cast

from jsonschema import (
    Draft4Validator,
    Draft6Validator,
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
)
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema_specifications import REGISTRY
from pydantic import PlainValidator
from referencing import Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012
from typing_extensions import Doc

from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.evaluator import Isolation
from assay.evaluators.excerpt import excerpt

_LONGEST = 300
_DRAFTS: Mapping[str, type[Validator]] = {
    "http://json-schema.org/draft-04/schema": Draft4Validator,
    "http://json-schema.org/draft-06/schema": Draft6Validator,
    "http://json-schema.org/draft-07/schema": Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": Draft202012Validator,
}
_BACKTRACKING = frozenset(("pattern", "patternProperties"))


class _Resolver(Protocol):
    def lookup(self, ref: str) -> object: ...


class _Judge(Protocol):
    def iter_errors(self, instance: object) -> Iterable[ValidationError]: ...


class CompiledSchema:
    """A schema, draft 2020-12 unless it declares another one.

    References lead within the schema and to the drafts themselves, never to the network. `format`
    is a remark, as the draft has it.

    Attributes:
        isolation: `process` when it has patterns, which can hold the interpreter.
    """

    def __init__(self, schema: object) -> None:
        """Check the schema and all its references.

        Raises:
            InvalidEvaluatorConfig: when it is no schema, or a reference leads nowhere.
        """
        if not isinstance(schema, dict | bool):
            msg = f"expected a JSON Schema, got {excerpt(schema, 60)}"
            raise InvalidEvaluatorConfig(msg)
        kind = _dialect(schema)
        try:
            kind.check_schema(cast("dict[str, object]", schema))  # or a boolean
        except SchemaError as error:
            problem = f"{error.json_path}: {error.message}"[:_LONGEST]
            msg = f"expected a JSON Schema, got one with {problem}"
            raise InvalidEvaluatorConfig(msg) from error
        self.isolation: Isolation = "thread"
        self._check_references(schema)
        self._judge = cast("_Judge", kind(schema, registry=REGISTRY))

    def problem(self, value: object) -> str:
        """The most telling reason why the value does not fit, or empty when it does."""
        error = best_match(self._judge.iter_errors(value))
        return "" if error is None else f"{error.json_path}: {error.message}"[:_LONGEST]

    def _check_references(self, schema: object) -> None:
        root = Resource.from_contents(schema, default_specification=DRAFT202012)
        waiting = [(root, REGISTRY.resolver_with_root(root))]
        while waiting:
            resource, resolver = waiting.pop()
            if isinstance(resource.contents, Mapping):
                _require_resolvable(resource.contents, resolver)
                if not _BACKTRACKING.isdisjoint(resource.contents):
                    self.isolation = "process"
            waiting += [(one, resolver.in_subresource(one)) for one in resource.subresources()]


def _dialect(schema: object) -> type[Validator]:
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if declared is None:
        return Draft202012Validator
    kind = _DRAFTS.get(str(declared).removesuffix("#"))
    if kind is None:
        msg = f"$schema: expected a draft from 4 to 2020-12, got {excerpt(declared, 60)}"
        raise InvalidEvaluatorConfig(msg)
    return kind


def _require_resolvable(contents: Mapping[str, object], resolver: _Resolver) -> None:
    for keyword in ("$ref", "$dynamicRef"):
        reference = contents.get(keyword)
        if not isinstance(reference, str):
            continue
        try:
            resolver.lookup(reference)
        except Unresolvable as error:
            got = excerpt(reference, 60)
            msg = f"expected {keyword} to lead somewhere in the schema, got {got}"
            raise InvalidEvaluatorConfig(msg) from error


Schema = Annotated[CompiledSchema, PlainValidator(CompiledSchema), Doc("a JSON Schema")]
"""A setting that a suite writes as a JSON Schema."""
