"""Hides secrets in what a target left behind, before anything is digested, graded or written.

Two kinds are hidden: the values of environment variables that the experiment declares, and texts
of a well-known shape:

* keys of model providers and code hosts: `sk-…`, `ghp_…` and its kin, `github_pat_…`, `glpat-…`,
  `hf_…`, `xox…-…`, `AIza…`, `AKIA…` and `ASIA…`;
* what follows `Bearer`, JSON web tokens, private key blocks, and `user:password` in an address.

A key or token without a single digit is taken for prose, and stays.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from assay.evaluators.canonical import Json, Number, decode_stored, is_text, parse, spell, write
from assay.evaluators.errors import InputError

MASK = "[masked]"
"""What stands in the place of a secret."""

_SHORTEST = 4

_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?P<secret>"
    r"sk-[A-Za-z0-9_-]{20,}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}"
    r"|github_pat_[A-Za-z0-9_]{20,}"
    r"|glpat-[A-Za-z0-9_-]{20,}"
    r"|hf_[A-Za-z0-9]{20,}"
    r"|xox[abeprs]-[A-Za-z0-9-]{10,}"
    r"|AIza[A-Za-z0-9_-]{30,}"
    r"|A[KS]IA[A-Z0-9]{16}"
    r")"
)
_BEARER = re.compile(r"(?i:\bbearer)\s{1,10}(?P<secret>[A-Za-z0-9._~+/=-]{16,})")
_WEB_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_-])(?P<secret>eyJ[A-Za-z0-9_-]{5,}\.eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*)"
)
# A block whose end was cut off is a key all the same.
_PRIVATE_KEY = re.compile(
    r"(?P<secret>-----BEGIN [A-Z ]*PRIVATE KEY-----.*?"
    r"(?:-----END [A-Z ]*PRIVATE KEY-----|\Z))",
    re.DOTALL,
)
_ADDRESS = re.compile(r"://(?P<secret>[^/\s:@\"]+:[^/\s@\"]+)@")

_SHAPES = (_KEY, _BEARER, _WEB_TOKEN, _PRIVATE_KEY, _ADDRESS)
_UNMISTAKABLE = (_PRIVATE_KEY, _ADDRESS)

# Nothing of a known shape lacks all of these, and looking for a plain text is cheap.
_MARKERS = (
    *("sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "hf_", "xox"),
    *("AIza", "AKIA", "ASIA", "eyJ", "PRIVATE KEY", "://"),
)
_BEARER_MARKER = re.compile(r"(?i:bearer)")


class Secrets:
    """The texts to hide.

    Args:
        values: Secret texts; each is also hidden escaped as in JSON and as in an address. One of
            fewer than 4 characters is not hidden.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        spellings = {spelling for value in values for spelling in _spellings(value)}
        self._values = tuple(sorted(spellings, key=lambda text: (-len(text), text)))
        # In JSON text a value stands escaped, and in canonical text it is escaped in one way only.
        self._escaped = tuple(write(value)[1:-1] for value in self._values)

    @classmethod
    def from_environment(cls, names: Iterable[str], environ: Mapping[str, str]) -> "Secrets":
        """The values of the named variables; one that is unset or empty holds no secret.

        Raises:
            InputError: for a value so short that hiding it would garble every output.
        """
        values = {name: environ.get(name, "").strip() for name in names}
        short = [name for name, value in values.items() if 0 < len(value) < _SHORTEST]
        if short:
            msg = (
                f"expected the variable to hold at least {_SHORTEST} characters: "
                "hiding a shorter text would garble outputs"
            )
            raise InputError(msg, place=f"secrets: {short[0]}", kind="secrets")
        # A value that is no UTF-8 stands in no text that can be stored.
        return cls(value for value in values.values() if is_text(value))

    def mask(self, text: str) -> str:
        """The text with each secret replaced."""
        if not self._may_hold(text, self._values):
            return text
        return _replace(text, _merged(self._spans(text)))

    def mask_json(self, text: str) -> str:
        """The JSON text with secrets replaced in its strings and in its keys.

        A number whose spelling is a secret becomes the string that stands for one. Keys that become
        equal stay apart by a number.

        Args:
            text: JSON text with the shortest escapes, as `spell` and `write` make it.
        """
        if not self._may_hold(text, self._escaped):
            return text
        return spell(self._masked(parse(text)))

    def mask_value(self, value: object) -> object:
        """The value as JSON holds it, with secrets replaced in its texts and keys.

        Raises:
            NotJson: when it has no JSON form.
        """
        text = spell(value)
        masked = self.mask_json(text)
        return value if masked == text else decode_stored(masked)

    def _may_hold(self, text: str, values: tuple[str, ...]) -> bool:
        return (
            any(value in text for value in values)
            or any(marker in text for marker in _MARKERS)
            or _BEARER_MARKER.search(text) is not None
        )

    def _masked(self, tree: Json) -> Json:
        match tree:
            case Number():
                return MASK if str(tree) in self._values else tree
            case str():
                return self.mask(tree)
            case list():
                return [self._masked(item) for item in tree]
            case dict():
                return self._masked_members(tree)
            case _:
                return tree

    def _masked_members(self, members: dict[str, Json]) -> dict[str, Json]:
        masked: dict[str, Json] = {}
        for name, value in members.items():
            key = base = self.mask(name)
            count = 1
            while key in masked or (key != name and key in members):
                count += 1
                key = f"{base} {count}"
            masked[key] = self._masked(value)
        return masked

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        for value in self._values:
            start = text.find(value)
            while start >= 0:
                yield start, start + len(value)
                start = text.find(value, start + 1)
        for shape in _SHAPES:
            for found in shape.finditer(text):
                if shape in _UNMISTAKABLE or _has_digit(found["secret"]):
                    yield found.span("secret")


NO_SECRETS = Secrets()
"""Nothing is declared; texts of a well-known shape are hidden all the same."""


def _spellings(value: str) -> set[str]:
    written = {value, json.dumps(value)[1:-1], write(value)[1:-1], quote(value, "")}
    return {spelling for spelling in written if len(spelling) >= _SHORTEST}


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The union of the spans: secrets may overlap, and no part of one may stay."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _replace(text: str, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    kept = 0
    for start, end in spans:
        parts += (text[kept:start], MASK)
        kept = end
    return "".join((*parts, text[kept:]))
