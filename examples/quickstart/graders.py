"""Graders of a function call: accepted or not, how much of it is right, what is wrong, how long.

The rules are those of the Berkeley function-calling leaderboard for Python. An argument is right if
it has the declared type and is among the accepted values; a whole number may stand for a float;
text is compared without regard to case, spaces and the signs `, . / - _ * ^`; an argument may be
missing if the empty text is among its accepted values; nothing may be added. `SOURCE.md` tells how
this was checked against the leaderboard's own checker.
"""

import json
import re
from collections.abc import Callable
from typing import Any, cast

from assay import Measured, Skip, evaluator
from assay.evaluators.sample import Sample

TYPES = {
    "string": str,
    "any": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
}
MISTAKES = (
    "wrong_function",
    "missing_argument",
    "extra_argument",
    "wrong_type",
    "wrong_value",
    "none",
)

Json = dict[str, Any]
Fold = Callable[[object], object]


def loose(value: object) -> object:
    """Return text without case, spaces and light punctuation, anything else as it is."""
    if not isinstance(value, str):
        return value
    return re.sub(r"[ ,./\-_*^]", "", value).lower().replace("'", '"')


def exact(value: object) -> object:
    """Return the value as it is."""
    return value


def first_type(accepted: list[Any]) -> type | None:
    """Return the type of the accepted values, None if the argument may only be left out."""
    return next((type(value) for value in accepted if value != ""), None)


def elements_typed(value: list[Any], accepted: list[Any], items: type) -> bool:
    """Return whether every element has the declared type or that of the accepted elements."""
    declared = {items, int} if items is float else {items}
    return any(
        not isinstance(option, list)
        or all(type(element) in declared | {first_type(option)} for element in value)
        for option in accepted
    )


def object_fits(value: Json, option: object, fold: Fold) -> bool:
    """Return whether every member is among the accepted ones and none of those is missing."""
    return (
        isinstance(option, dict)
        and all(
            key in option and fold(member) in [fold(each) for each in option[key]]
            for key, member in value.items()
        )
        and all(key in value or "" in members for key, members in option.items())
    )


def fits(value: object, option: object, fold: Fold) -> bool:
    """Return whether a value of the declared type is the accepted value."""
    if isinstance(value, dict):
        return object_fits(value, option, fold)
    if not isinstance(value, list):
        return fold(value) == fold(option)
    if not isinstance(option, list):
        return value == [] and option == ""
    return len(value) == len(option) and all(
        object_fits(each, wanted, fold) if isinstance(each, dict) else fold(each) == fold(wanted)
        for each, wanted in zip(value, option, strict=True)
    )


def argument_mistake(value: object, accepted: list[Any], schema: Json, fold: Fold) -> str:
    """Return `none`, `wrong_type` or `wrong_value` for one argument."""
    declared, usual = TYPES[schema["type"]], first_type(accepted)
    if declared is float and type(value) is int:
        value = float(value)
    if type(value) not in (declared, usual):
        return "wrong_type"
    if isinstance(value, list) and declared is list:
        if not elements_typed(value, accepted, TYPES[schema["items"]["type"]]):
            return "wrong_type"
    elif usual not in (declared, None) or type(value) is not declared:
        return "none" if value in accepted else "wrong_value"
    return "none" if any(fits(value, option, fold) for option in accepted) else "wrong_value"


def offered(sample: Sample) -> Json:
    """Return the schema of the one function that the case offers."""
    function: Json = cast("Json", sample.input)["functions"][0]
    return function


def given_arguments(sample: Sample) -> Json | None:
    """Return the arguments of the call, None if the output is no call of the function."""
    call = sample.output
    if not isinstance(call, dict) or call.get("name") != offered(sample)["name"]:
        return None
    given = call.get("arguments")
    return given if isinstance(given, dict) else None


def mistakes(sample: Sample, fold: Fold = loose) -> dict[str, str]:
    """Return what is wrong, by name, with each argument that was given or is missing."""
    schema, given = offered(sample)["parameters"], given_arguments(sample)
    if given is None:
        return {"": "wrong_function"}
    (accepted,) = cast("Json", sample.expected).values()
    missing = [
        name
        for name, values in accepted.items()
        if name not in given and (name in schema["required"] or "" not in values)
    ]
    found = dict.fromkeys(missing, "missing_argument")
    for name, value in given.items():
        found[name] = (
            argument_mistake(value, accepted[name], schema["properties"][name], fold)
            if name in accepted
            else "extra_argument"
        )
    return found


def share(sample: Sample) -> float:
    """Return the part of the arguments given or missing that is right, 0 to 1.

    Raises:
        Skip: The call has no argument that could be right or wrong.
    """
    found = list(mistakes(sample).values())
    if not found:
        reason = "the call needs no argument and has none"
        raise Skip(reason)
    return found.count("none") / len(found)


@evaluator(name="accepted", revision="1")
def accepted(sample: Sample, *, exact_text: bool = False) -> bool:
    """Return whether the call is an accepted answer; `exact_text` compares text as it is."""
    found = mistakes(sample, fold=exact if exact_text else loose)
    return set(found.values()) <= {"none"}


@evaluator(name="argument_share", revision="1")
def argument_share(sample: Sample) -> float:
    """Return the part of the arguments given or missing that is right, 0 to 1."""
    return share(sample)


@evaluator(name="close_enough", revision="1", acceptance=("minimum",))
def close_enough(sample: Sample, *, minimum: float = 0.5) -> bool:
    """Return whether at least the share `minimum` of the arguments is right."""
    return share(sample) >= minimum


@evaluator(name="mistake", revision="1")
def mistake(sample: Sample) -> str:
    """Return the gravest mistake of the call in the order of `MISTAKES`, `none` if it is right."""
    return min(mistakes(sample).values(), key=MISTAKES.index, default="none")


@evaluator(name="length", revision="1")
def length(sample: Sample) -> Measured:
    """Return the number of characters of the call, written as compact JSON."""
    text = json.dumps(sample.output, ensure_ascii=False, separators=(",", ":"))
    return Measured(len(text), unit="character", direction="lower_is_better")
