"""A caller of functions that follows a few rules: no model, no network, always the same answer.

It finds the mentions of a question (numbers, dates, quoted text, lists, capitalised names) and
hands each to the parameter whose name and description share most words with the words around it.
An optional parameter is filled only where the question names it. What the rules cannot fill stays
out of the call: that is the baseline's honest way to fail.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

MONTH = "(?:Jan|Febr?|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*"
WORD = r"(?:(?:[A-Z]\.)+|[A-Z][\w'\u2019-]*)"
MENTION = re.compile(
    rf"""
    (?P<list>\[[^\]]*\])
    | ["\u201c](?P<quoted>[^"\u201d]+)["\u201d]
    | (?<!\w)['\u2018`](?P<single>[^'\u2019`]+)['\u2019`](?!\w)
    | (?P<date>\d{{4}}-\d\d-\d\d | {MONTH}\ \d{{1,2}}(?:st|nd|rd|th)?,?\ \d{{4}})
    | (?P<formula>\d*[a-z]\^\d+(?:\s*[-+]\s*\d*[a-z]?(?:\^\d+)?)*)
    | (?<![\w.])\$?(?P<number>[-+]?\d+(?:,\d{{3}})*(?:\.\d+)?(?:e[-+]?\d+)?)
      (?P<scale>\s?%|\ (?:thousand|million|billion)\b)?
    | (?P<name>{WORD}(?:(?:\ |,\ |\ of\ |\ of\ the\ ){WORD})*)
    """,
    re.VERBOSE,
)
SCALE = {"%": 0.01, "thousand": 10**3, "million": 10**6, "billion": 10**9}
KIND = {"string": "text", "any": "text", "float": "number", "array": "list", "tuple": "list"}
STARTS_SENTENCE = re.compile(r"(?:^|[.?!:]\s+)$")
STOP_WORDS = set(re.findall(r"\w+", "a an and are as at be by for from in is it of on or the to"))
CUES = {
    "from": {"start", "origin", "source", "from", "first", "initial"},
    "to": {"end", "destination", "target", "to", "final"},
    "in": {"location", "city", "country", "place", "region", "state", "year"},
    "by": {"author", "artist", "creator", "composer"},
}
NAMED = 4  # an affinity that takes a word of the parameter's name right before the mention


@dataclass(frozen=True, slots=True)
class Mention:
    """A value that the question names, with the words around it."""

    kind: str
    value: object
    before: tuple[str, ...]
    after: tuple[str, ...]


def words(text: str) -> list[str]:
    """Return the words of a text or an identifier in lower case, without a plural's s."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", text)
    return [part.lower().rstrip("s") or part.lower() for part in parts]


def number(text: str, scale: str | None) -> float:
    """Return the number that a text such as `1,500` or `1e-9` spells, times its scale."""
    plain = text.replace(",", "")
    value = float(plain) if re.search(r"[.e]", plain) else int(plain)
    return round(value * SCALE[scale.strip()], 12) if scale else value


def elements(text: str) -> object:
    """Return the elements of a list as people write it: JSON, or bare words between commas."""
    try:
        return json.loads(text)
    except ValueError:
        return [part.strip(" '\"") for part in text.strip("[]").split(",")]


def reading(match: re.Match[str]) -> tuple[str, object]:
    """Return the kind of what was matched (number, list, text) and its value, "" for nothing."""
    if match["number"]:
        return "number", number(match["number"], match["scale"])
    if match["list"]:
        return "list", elements(match["list"])
    text = next(value for value in match.groups() if value is not None)
    if match["name"] and STARTS_SENTENCE.search(match.string[: match.start()]):
        text = text.partition(" ")[2].removeprefix("of ").removeprefix("the ")
    return "text", text


def mentions(question: str) -> list[Mention]:
    """Return what the question names, in the order of the question."""
    found = []
    for match in MENTION.finditer(question):
        kind, value = reading(match)
        before = tuple(words(question[: match.start()])[-5:])
        after = tuple(words(question[match.end() :])[:2])
        if value != "":
            found.append(Mention(kind, value, before, after))
    return found


def suits(mention: Mention, declared: str) -> bool:
    """Return whether the mention can be a value of the declared type."""
    if declared == "integer":
        return isinstance(mention.value, int)
    return mention.kind == KIND.get(declared)


def affinity(mention: Mention, name: str, schema: dict[str, Any]) -> int:
    """Return how strongly the words around the mention point to the parameter, 0 for not at all."""
    title = set(words(name))
    known = (title | set(words(schema.get("description", "")))) - STOP_WORDS
    cued = CUES.get(mention.before[-1] if mention.before else "", set())
    near, far = mention.before[-2:], mention.before[:-2]
    return (
        NAMED * len(title.intersection(near))
        + 2 * len(title.intersection(far + mention.after))
        + 2 * len(cued & title)
        + len(known.intersection(near + mention.after))
    )


def stated(question: str, name: str, schema: dict[str, Any]) -> object:
    """Return the option or the switch that the question names word by word, None for neither."""
    if schema["type"] == "string":
        quoted = re.findall(r"'([^']+)'", schema.get("description", ""))
        for option in schema.get("enum") or quoted:
            if re.search(rf"\b{re.escape(option)}\b", question, re.IGNORECASE):
                return option
    if schema["type"] == "boolean" and set(words(name)) - STOP_WORDS <= set(words(question)):
        return True
    return None


def fallback(found: list[Mention], schema: dict[str, Any]) -> object:
    """Return the argument of a required parameter without a mention of its own, None for none."""
    if schema["type"] == "boolean":
        return schema.get("default", False) in (True, "true", "True")
    if schema["type"] == "array":
        return [m.value for m in found if suits(m, schema["items"]["type"])] or None
    return None


def arguments(question: str, parameters: dict[str, Any]) -> dict[str, object]:
    """Return the arguments that the rules can fill, best affinity first, then in order."""
    properties, required = parameters["properties"], parameters["required"]
    filled = {name: stated(question, name, schema) for name, schema in properties.items()}
    taken = [value for value in filled.values() if isinstance(value, str)]
    found = [mention for mention in mentions(question) if mention.value not in taken]
    pairs = [
        (-affinity(mention, name, schema), name not in required, place, name, mention)
        for place, (name, schema) in enumerate(properties.items())
        for mention in found
        if suits(mention, schema["type"])
    ]
    for score, optional, _, name, mention in sorted(pairs, key=lambda pair: pair[:3]):
        wanted = -score >= NAMED or not optional
        if wanted and filled[name] is None and mention in found:
            filled[name] = mention.value
            found.remove(mention)
    for name in required:
        if filled[name] is None:
            filled[name] = fallback(found, properties[name])
    return {name: value for name, value in filled.items() if value is not None}


def answer(request: dict[str, Any]) -> dict[str, object]:
    """Return the call that answers the question: the name of the function and its arguments."""
    question = request["question"]
    said = set(words(question))
    function = max(request["functions"], key=lambda each: len(said & set(words(each["name"]))))
    return {"name": function["name"], "arguments": arguments(question, function["parameters"])}
