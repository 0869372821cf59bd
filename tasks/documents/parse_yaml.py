"""YAML 1.2 as strict JSON values, with the place of each.

Plain scalars follow the core schema: `no`, `on`, `12:30`, `2001-12-14` are text. There is no
binary, set, timestamp or merge key. Duplicate keys, keys that are not text, several documents, NaN
and infinities are refused. An alias stands for a copy of what it names.
"""

from collections.abc import Iterator

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from ruamel.yaml.reader import ReaderError

from assay.evaluators.canonical import Json, Number, is_text
from assay.evaluators.errors import AssayError
from assay.tasks.documents.places import KeyPath, bounded, line_and_column, shown
from assay.tasks.documents.resolve_scalar import resolve_scalar

Marks = dict[KeyPath, tuple[int, int]]
"""Line and column, from 1, of every value; of a member, the place of its key."""

_TAG = "tag:yaml.org,2002:"
_MOST_REPEATED = 100_000
# Characters that YAML 1.1 breaks lines at and 1.2 does not; the parser still does.
_FORMER_BREAKS = "\x85\u2028\u2029"
_PRIVATE_USE = range(0xE000, 0xF900)


class MalformedYaml(AssayError):
    """A text is not exactly one YAML 1.2 document of JSON kinds.

    Attributes:
        reason: What was expected and what came.
        line: 1-based line of the fault.
        column: 1-based column of the fault.
    """

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(f"{reason} at line {line}, column {column}")
        self.reason = reason
        self.line = line
        self.column = column


def parse_yaml(text: str) -> tuple[Json, Marks]:
    """The tree of one document, and the place of every value in it.

    Raises:
        MalformedYaml: for anything that is not one strict document of JSON kinds.
    """
    away = _stand_ins(text)
    try:
        events = YAML(typ="safe", pure=True).parse(text.translate(away))
        builder = _Builder(events, {new: old for old, new in away.items()})
        return builder.document(), builder.marks
    except MarkedYAMLError as error:
        raise _malformed(error) from error
    except ReaderError as error:
        reason = f"expected printable text, got U+{error.character:04X}"
        raise MalformedYaml(reason, *line_and_column(text, error.position)) from error
    except (YAMLError, ValueError) as error:  # such as an escape beyond U+10FFFF
        reason = f"expected YAML, got {bounded(str(error))}"
        raise MalformedYaml(reason, 1, 1) from error
    except RecursionError as error:
        reason = "expected fewer nested levels"
        raise MalformedYaml(reason, 1, 1) from error


class _Builder:
    """Turns parser events into a tree; one object per document."""

    def __init__(self, events: Iterator[Event], back: dict[int, int]) -> None:
        self.marks: Marks = {}
        self._events = events
        self._back = back
        self._anchors: dict[str, tuple[Json, int]] = {}
        self._open: set[str] = set()
        self._count = 0
        self._repeated = 0

    def document(self) -> Json:
        next(self._events)  # the start of the stream
        start = next(self._events)
        if isinstance(start, StreamEndEvent):
            raise _refusal(start, "expected a YAML document, got an empty file")
        if isinstance(start, DocumentStartEvent) and start.version not in (None, (1, 2)):
            raise _refusal(start, "expected YAML 1.2, got another version; remove the %YAML line")
        tree = self._node(next(self._events), ())
        for event in self._events:
            if not isinstance(event, DocumentEndEvent | StreamEndEvent):
                raise _refusal(event, "expected one document, got a second one; keep one per file")
        return tree

    def _node(self, event: Event, path: KeyPath) -> Json:
        self.marks.setdefault(path, _place(event))
        if isinstance(event, AliasEvent):
            return self._alias(event)
        before, anchor = self._count, event.anchor if isinstance(event, NodeEvent) else None
        self._count += 1
        if anchor is not None:
            self._open.add(anchor)
        tree = self._value(event, path)
        if anchor is not None:
            self._open.discard(anchor)
            self._anchors[anchor] = tree, self._count - before
        return tree

    def _alias(self, event: AliasEvent) -> Json:
        name = str(event.anchor)
        if name in self._open:
            raise _refusal(
                event, f"expected a value that ends, got alias *{name} inside its own anchor"
            )
        if name not in self._anchors:
            raise _refusal(event, f"expected an anchor &{name} before its alias, found none")
        tree, size = self._anchors[name]
        self._count += size
        self._repeated += size
        if self._repeated > _MOST_REPEATED:
            raise _refusal(
                event, f"expected aliases to repeat at most {_MOST_REPEATED} values, got more"
            )
        return tree

    def _value(self, event: Event, path: KeyPath) -> Json:
        match event:
            case ScalarEvent():
                return self._scalar(event)
            case SequenceStartEvent():
                _require_tag(event, "seq")
                return self._items(path)
            case MappingStartEvent():
                _require_tag(event, "map")
                return self._members(path)
            case _:
                raise _refusal(event, "expected a value")

    def _items(self, path: KeyPath) -> list[Json]:
        items: list[Json] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            items.append(self._node(event, (*path, len(items))))
        return items

    def _members(self, path: KeyPath) -> dict[str, Json]:
        members: dict[str, Json] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            key = self._key(event)
            if key in members:
                raise _refusal(event, f"expected each key once, got {bounded(key)} twice")
            self.marks[(*path, key)] = _place(event)
            members[key] = self._node(next(self._events), (*path, key))
        return members

    def _key(self, event: Event) -> str:
        if isinstance(event, ScalarEvent) and event.value == "<<" and event.style is None:
            raise _refusal(
                event, "expected YAML 1.2, which has no merge key <<; write the members out"
            )
        if not isinstance(event, ScalarEvent | AliasEvent):
            raise _refusal(event, "expected a text key, got a list or mapping")
        key = self._alias(event) if isinstance(event, AliasEvent) else self._scalar(event)
        if isinstance(key, str) and not isinstance(key, Number):
            return key
        raise _refusal(event, f"expected a text key, got {shown(key)}; put it in quotes")

    def _scalar(self, event: ScalarEvent) -> Json:
        text = _joined(event, event.value.translate(self._back))
        tag = event.tag
        if tag in ("!", _TAG + "str") or (tag is None and event.style is not None):
            return text
        try:
            value = resolve_scalar(text)
        except ValueError as error:
            raise _refusal(event, str(error)) from error
        if tag is not None and tag not in _tags_of(value):
            raise _refusal(event, f"expected a value of a JSON kind, got tag {bounded(tag)}")
        return value


def _tags_of(value: Json) -> tuple[str, ...]:
    match value:
        case None:
            return (_TAG + "null",)
        case bool():
            return (_TAG + "bool",)
        case Number():
            return (
                (_TAG + "float", _TAG + "int") if value.lstrip("-").isdigit() else (_TAG + "float",)
            )
        case _:
            return ()


def _require_tag(event: SequenceStartEvent | MappingStartEvent, kind: str) -> None:
    if event.tag not in (None, "!", _TAG + kind):
        raise _refusal(event, f"expected a value of a JSON kind, got tag {bounded(event.tag)}")


def _joined(event: Event, text: str) -> str:
    """The text with escaped surrogate pairs joined, as JSON means them."""
    if is_text(text):
        return text
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError as error:
        raise _refusal(event, "expected text, got a lone surrogate") from error


def _place(event: Event) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _refusal(event: Event, reason: str) -> MalformedYaml:
    return MalformedYaml(reason, *_place(event))


def _stand_ins(text: str) -> dict[int, int]:
    present = [ord(char) for char in _FORMER_BREAKS if char in text]
    free = (code for code in _PRIVATE_USE if chr(code) not in text)
    return dict(zip(present, free, strict=False))


def _malformed(error: MarkedYAMLError) -> MalformedYaml:
    mark = error.problem_mark or error.context_mark
    reason = " ".join(str(part) for part in (error.context, error.problem) if part)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    return MalformedYaml(f"expected YAML: {reason[:200]}", line, column)
