"""Reading a JSON or YAML file as one strict tree that knows where its parts stand."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from assay.evaluators.canonical import Json, parse
from assay.evaluators.errors import InputError, MalformedJson
from assay.tasks.documents.locate_json import locate_fault, locate_json
from assay.tasks.documents.parse_yaml import MalformedYaml, Marks, parse_yaml
from assay.tasks.documents.places import KeyPath, place_in
from assay.tasks.documents.read_bytes import read_text

_JSON = ".json"
_YAML = (".yaml", ".yml")


@dataclass(frozen=True)
class Document:
    """The tree of a file and the places of its values.

    Attributes:
        url: Where it was read.
        kind: What it is, for errors: `dataset`, `experiment`, `suite`.
        tree: The strict JSON tree, numbers as literals.
        text: The file's text.
        marks: Places noted while reading; empty for JSON, which is searched when asked.
    """

    url: str
    kind: str
    tree: Json
    text: str = field(repr=False)
    marks: Marks = field(repr=False)

    def place(self, path: KeyPath = ()) -> str:
        """File, line and column of the value at the path, or of its nearest known ancestor."""
        if not path:
            return place_in(self.url)
        if not self.marks:
            return place_in(self.url, *locate_json(self.text, path))
        while path not in self.marks:
            path = path[:-1]
        return place_in(self.url, *self.marks[path])

    def refusal(self, message: str, path: KeyPath = ()) -> InputError:
        """The error that says what is wrong with the value at the path."""
        return InputError(message, place=self.place(path), kind=self.kind)


def read_document(url: str, *, kind: str) -> Document:
    """The document in a `.json`, `.yaml` or `.yml` file at a path or fsspec URL.

    Raises:
        InputError: the file cannot be read, has another extension, or is not one strict value.
    """
    suffix = extension(url)
    if suffix == _JSON:
        return json_document(url, read_text(url, kind=kind), kind)
    if suffix in _YAML:
        return yaml_document(url, read_text(url, kind=kind), kind)
    msg = f"expected a .yaml or .json file, got {suffix or 'no extension'}"
    raise InputError(msg, place=place_in(url), kind=kind)


def extension(url: str) -> str:
    """The last extension of a path or URL in lower case, with its dot, or nothing.

    Examples:
        >>> extension("memory://a.b/Cases.JSONL")
        '.jsonl'
    """
    return PurePosixPath(url).suffix.lower()


def json_document(url: str, text: str, kind: str) -> Document:
    """The document of a strict JSON text; raises InputError naming line and column."""
    if not text.strip(" \t\r\n"):
        msg = "expected a JSON value, got an empty file"
        raise InputError(msg, place=place_in(url, 1), kind=kind)
    return Document(url, kind, parse_json(text, url, kind), text, {})


def yaml_document(url: str, text: str, kind: str) -> Document:
    """The document of a strict YAML 1.2 text; raises InputError naming line and column."""
    try:
        tree, marks = parse_yaml(text)
    except MalformedYaml as error:
        place = place_in(url, error.line, error.column)
        raise InputError(error.reason, place=place, kind=kind) from error
    return Document(url, kind, tree, text, marks)


def parse_json(text: str, url: str, kind: str, line: int = 0) -> Json:
    """The tree of a strict JSON text.

    Args:
        text: The text.
        url: Where it was read, for the error.
        kind: What it is, for the error.
        line: The line of the file that the text is, or 0 where it is the whole file.

    Raises:
        InputError: the text is not exactly one strict JSON value.
    """
    try:
        return parse(text)
    except MalformedJson as error:
        at, column = (error.line, error.column) if error.line else locate_fault(text)
        raise InputError(
            _expected(error.reason), place=place_in(url, line or at, column), kind=kind
        ) from error


def _expected(reason: str) -> str:
    return reason if reason.startswith("expected") else f"expected JSON: {reason}"
