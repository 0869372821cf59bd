"""One sentence for what pydantic found wrong in a file."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from assay.evaluators.canonical import Json
from assay.tasks.documents.places import KeyPath, close_match, key_path, shown
from assay.tasks.settings.file_model import UNKNOWN_KEY

_EXPECTED = {
    "string_type": "text",
    "string_pattern_mismatch": "text that is not blank",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "tuple_type": "a list",
    "list_type": "a list",
    "too_short": "at least {min_length} item",
    "greater_than_equal": "at least {ge:g}",
    "greater_than": "more than {gt:g}",
    "less_than_equal": "at most {le:g}",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a tree.

    Attributes:
        path: The value that is wrong.
        mark: What to point at: the value, or the key that it must not have.
        sentence: What was expected and what came.
    """

    path: KeyPath
    mark: KeyPath
    sentence: str

    def message(self, above: KeyPath = ()) -> str:
        """The sentence with the name of the value, whose tree stands at a path itself."""
        path = (*above, *self.path)
        return f"{key_path(path)}: {self.sentence}" if path else self.sentence


def explain_invalid(error: ValidationError, tree: Json) -> Fault:
    """The first fault in the tree that a model refused.

    An unknown key comes first: a misspelt key often makes another one missing.
    """
    problems = error.errors(include_url=False)
    problem = next((one for one in problems if one["type"] == UNKNOWN_KEY), problems[0])
    path = _path_in(tree, problem["loc"])
    key = problem.get("ctx", {}).get("key")
    if problem["type"] == UNKNOWN_KEY and isinstance(key, str):
        return Fault(path, (*path, key), problem["msg"])
    return Fault(path, path, _sentence(problem, _value_at(tree, path)))


def _sentence(problem: ErrorDetails, value: Json) -> str:
    context = problem.get("ctx", {})
    match problem["type"]:
        case "missing":
            return f"expected a key {problem['loc'][-1]!r}, got none"
        case "value_error":
            return str(context["error"])
        case "literal_error":
            return _one_of(str(context["expected"]), value)
        case kind if kind in _EXPECTED:
            return f"expected {_EXPECTED[kind].format(**context)}, got {shown(value)}"
        case _:
            return f"{problem['msg']}, got {shown(value)}"


def _one_of(expected: str, value: Json) -> str:
    known = [word for word in expected.split("'") if word.strip(", or") and " or " not in word]
    hint = close_match(value, known) if isinstance(value, str) else ""
    return f"expected one of {', '.join(known)}, got {shown(value)}{hint}"


def _path_in(tree: Json, location: Sequence[str | int]) -> KeyPath:
    """The steps that lead through the tree: pydantic also names the members of unions."""
    path: list[str | int] = []
    for step in location:
        if step in _steps(tree):
            tree = tree[step]  # type: ignore[index]
            path.append(step)
    return tuple(path)


def _steps(tree: Json) -> Container[object]:
    if isinstance(tree, Mapping):
        return tree
    return range(len(tree)) if isinstance(tree, list) else ()


def _value_at(tree: Json, path: KeyPath) -> Json:
    for step in path:
        tree = tree[step]  # type: ignore[index]
    return tree
