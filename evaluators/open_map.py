"""A map from names to JSON texts: metadata and parameters that Assay carries but does not read."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Self

from pydantic import BeforeValidator
from typing_extensions import override

from assay.evaluators.canonical import HasWire, Json, decode, is_text, parse, write
from assay.evaluators.errors import AssayError, MalformedJson, NotJson


class EmptyKey(AssayError):
    """A key of an open map is the empty string."""


class InvalidValue(AssayError):
    """A key is not UTF-8 text, or a value is not exactly one strict JSON value."""


class OpenMap(Mapping[str, str], HasWire):
    """An immutable map whose values are encoded JSON texts, so that number spelling survives.

    Two maps are equal when their encodings are byte for byte. `OpenMap.of` encodes Python values;
    the constructor takes texts that are JSON already.

    Raises:
        EmptyKey: when a key is empty.
        InvalidValue: when a key is not UTF-8 or a value is not one strict JSON value.

    Examples:
        >>> OpenMap.of({"threshold": 0.5})["threshold"]
        '0.5'
        >>> OpenMap({"n": "1.0"}).decode("n")
        1.0
    """

    __slots__ = ("_texts",)

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        snapshot = dict(texts or {})
        for key, text in snapshot.items():
            _check_key(key)
            _check_value(key, text)
        self._texts = snapshot

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """The map of Python values, each in its canonical JSON text."""
        texts: dict[str, str] = {}
        for key, value in values.items():
            _check_key(key)
            try:
                texts[key] = write(value)
            except NotJson as error:
                msg = f"{key[:60]!r}: {error}"
                raise InvalidValue(msg) from error
        return cls._trusted(texts)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The map that a JSON object spells; `null` is the empty map."""
        try:
            tree = parse(text)
        except MalformedJson as error:
            raise InvalidValue(str(error)) from error
        return cls.from_wire(tree)

    @classmethod
    def from_wire(cls, tree: Json) -> Self:
        """The map that a parsed JSON object spells; None is the empty map."""
        if tree is None:
            return cls()
        if not isinstance(tree, dict):
            msg = f"expected a JSON object, got {type(tree).__name__}"
            raise InvalidValue(msg)
        return cls.of(tree)

    @classmethod
    def _trusted(cls, texts: dict[str, str]) -> Self:
        self = cls.__new__(cls)
        self._texts = texts
        return self

    @override
    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    @override
    def __len__(self) -> int:
        return len(self._texts)

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenMap) and self._texts == other._texts

    @override
    def __hash__(self) -> int:
        return hash(frozenset(self._texts.items()))

    @override
    def __repr__(self) -> str:
        return f"OpenMap({self._texts!r})"

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from the texts in another process."""
        return type(self), (dict(self._texts),)

    def decode(self, key: str) -> object:
        """The Python value under the key; raises KeyError when there is none."""
        return decode(self._texts[key])

    def decoded(self) -> dict[str, object]:
        """Every value decoded, in a new dict."""
        return {key: decode(text) for key, text in self._texts.items()}

    def with_value(self, key: str, value: object) -> Self:
        """A copy in which the key holds the value."""
        return self.merged(self.of({key: value}))

    def merged(self, other: "OpenMap") -> Self:
        """A copy with the other map's entries laid over this one's."""
        return self._trusted({**self, **other})

    def canonical(self) -> Self:
        """A copy whose values are spelled canonically."""
        return self._trusted({key: write(parse(text)) for key, text in self._texts.items()})

    def text(self) -> str:
        """The map as one canonical JSON object."""
        return write(self.wire())

    @override
    def wire(self) -> Json:
        """The map as a JSON tree, numbers in their own spelling."""
        return {key: parse(text) for key, text in self._texts.items()}


def _check_key(key: object) -> None:
    if not isinstance(key, str) or not is_text(key):
        msg = f"expected keys to be UTF-8 text, got {type(key).__name__}"
        raise InvalidValue(msg)
    if not key:
        msg = "expected a non-empty key"
        raise EmptyKey(msg)


def _check_value(key: str, text: object) -> None:
    if not isinstance(text, str):
        msg = f"{key[:60]!r}: expected JSON text, got {type(text).__name__}"
        raise InvalidValue(msg)
    try:
        parse(text)
    except MalformedJson as error:
        msg = f"{key[:60]!r}: {error}"
        raise InvalidValue(msg) from error


def _as_open_map(value: object) -> object:
    if isinstance(value, Mapping) and not isinstance(value, OpenMap):
        return OpenMap.of(value)
    return value


Metadata = Annotated[OpenMap, BeforeValidator(_as_open_map)]
"""A field that takes an OpenMap, or a mapping of Python values to encode."""
