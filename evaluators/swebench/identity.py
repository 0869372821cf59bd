"""The identities that files are exchanged under: digests, revisions, components of paths."""

import hashlib
import re

from assay.evaluators.errors import AssayError

HARNESS_REVISION = "02e7a74ffd0b707aab73d203fe87bdc7c76afc8e"
"""The revision of the official harness whose files these are; part of every run and grade."""

_COMPONENT = re.compile(r"[A-Za-z0-9_.-]+")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_REVISION = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def digest_of(content: bytes) -> str:
    """`sha256:` and the 64 hexadecimal digits of exactly these bytes."""
    return "sha256:" + hashlib.sha256(content).hexdigest()


def is_component(text: str) -> bool:
    """True if the text is one safe step of a path: ASCII letters, digits and `_.-`, no dots alone.

    Examples:
        >>> is_component("django__django-11099"), is_component("..")
        (True, False)
    """
    return text not in {".", ".."} and _COMPONENT.fullmatch(text) is not None


def require_component(text: str, field: str, category: type[AssayError]) -> None:
    """Raise the category unless the text is one safe step of a path."""
    if not is_component(text):
        raise category(
            f"{field}: expected letters, digits and '_.-', and more than dots, got {text[:60]!r}"
        )


def require_digest(text: str, field: str, category: type[AssayError]) -> None:
    """Raise the category unless the text is spelled like a digest."""
    if _DIGEST.fullmatch(text) is None:
        raise category(f"{field}: expected 'sha256:' and 64 lowercase digits, got {text[:75]!r}")


def require_revision(text: str, field: str, category: type[AssayError]) -> None:
    """Raise the category unless the text is a whole commit id; the name of a branch moves."""
    if _REVISION.fullmatch(text) is None:
        raise category(
            f"{field}: expected a commit of 40 or 64 lowercase hexadecimal digits, "
            f"got {text[:64]!r}"
        )
