"""A case as the text that a dataset file holds."""

import json
import re
from collections.abc import Callable, Mapping

from assay.evaluators.canonical import Number, write
from assay.evaluators.case import Case

_LONGEST_IMPLICIT_KEY = 1000
# Characters that a YAML file cannot hold as they are, or that some readers break lines at.
_NOT_PLAIN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def case_members(case: Case) -> dict[str, object]:
    """What a file says of the case: absent members left out, number spelling of metadata kept.

    Assessments that are Python objects have no place in a file and are left out.

    Raises:
        NotJson: the input or the reference answer has no JSON form; the path in it is named.
    """
    members: dict[str, object] = {"id": case.id, "input": case.input}
    if case.has_expected:
        members["expected"] = case.expected
    if case.metadata:
        members["metadata"] = case.metadata.wire()
    entries = [entry for entry in case.suite if isinstance(entry, Mapping)]
    if entries:
        members["suite"] = entries
    write(members)  # refuses what JSON cannot hold, and names where it stands
    return members


def spell_json(value: object) -> str:
    """One line of JSON, members in their own order, nothing but control characters escaped."""
    return _spell(value, _json_string, _json_key)


def spell_yaml(value: object) -> str:
    """One line of JSON that YAML 1.2 reads as the same value."""
    return _spell(value, _yaml_string, _yaml_key)


def _spell(value: object, string: Callable[[str], str], key: Callable[[str], str]) -> str:
    match value:
        case Number():
            return value
        case str():
            return string(value)
        case float():
            return repr(value)  # 1.0 and 1e16 read back as floats, unlike their canonical spelling
        case Mapping():
            pairs = (key(str(name)) + _spell(one, string, key) for name, one in value.items())
            return "{" + ", ".join(pairs) + "}"
        case list() | tuple():
            return "[" + ", ".join(_spell(one, string, key) for one in value) + "]"
        case _:
            return write(value)


def _json_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _json_key(text: str) -> str:
    return f"{_json_string(text)}: "


def _yaml_string(text: str) -> str:
    return _NOT_PLAIN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", _json_string(text))


def _yaml_key(text: str) -> str:
    spelled = _yaml_string(text)
    return f"{spelled}: " if len(spelled) <= _LONGEST_IMPLICIT_KEY else f"? {spelled} : "
