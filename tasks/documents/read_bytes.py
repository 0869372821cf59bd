"""Reading a file from wherever fsspec reaches, with one sentence when it cannot."""

import fsspec

from assay.evaluators.errors import InputError
from assay.tasks.documents.places import bounded_reason, place_in

_EXTRAS = {
    "s3": "s3",
    "s3a": "s3",
    "gs": "gcs",
    "gcs": "gcs",
    "abfs": "azure",
    "abfss": "azure",
    "adl": "azure",
    "az": "azure",
}


def read_bytes(url: str, *, kind: str) -> bytes:
    """The content of the file at a path or fsspec URL.

    Args:
        url: A local path or any URL that fsspec knows, such as `s3://bucket/cases.jsonl`.
        kind: The kind of thing that is read, for the error: `dataset`, `experiment`, `suite`.

    Raises:
        InputError: there is no such file, or it cannot be reached; the message says why.
    """
    try:
        system, path = fsspec.core.url_to_fs(url)
        content: bytes = system.cat_file(path)
    except Exception as error:
        raise InputError(_reason(url, error), place=place_in(url), kind=kind) from error
    return content


def read_text(url: str, *, kind: str) -> str:
    """The content of a UTF-8 file, a byte order mark left out.

    Raises:
        InputError: as `read_bytes`; or the content is not UTF-8, and the line is named.
    """
    content = read_bytes(url, kind=kind).removeprefix(b"\xef\xbb\xbf")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        got = f"byte 0x{content[error.start]:02x} at byte {column} of the line"
        msg = f"expected UTF-8, got {got}; save the file as UTF-8"
        raise InputError(msg, place=place_in(url, line), kind=kind) from error


def _reason(url: str, error: Exception) -> str:
    scheme = url.partition("://")[0]
    match error:
        case FileNotFoundError():
            return "expected a file, found none"
        case IsADirectoryError():
            return "expected a file, found a folder"
        case PermissionError():
            return "expected a readable file, got no permission to read it"
        case ImportError() if scheme in _EXTRAS:
            extra = _EXTRAS[scheme]
            return (
                f"expected the packages that read {scheme}:// to be installed; "
                f"run pip install 'assay-evals[{extra}]'"
            )
        case ValueError() if "://" in url and "rotocol" in str(error):
            return f"expected a URL that fsspec knows, got {scheme[:40]!r}"
        case _:
            return f"expected a readable file, got {bounded_reason(error)}"
