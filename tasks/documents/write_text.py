"""Writing a text file so that a reader sees the old content or the new, never a part."""

import os
from pathlib import Path
from uuid import uuid4

import fsspec
from fsspec.implementations.local import LocalFileSystem

from assay.evaluators.errors import InputError
from assay.tasks.documents.places import bounded_reason, place_in


def write_text(url: str, text: str, *, kind: str) -> None:
    """Put the text, as UTF-8, at a path or fsspec URL, in place of what may be there.

    On a local disk the file is complete and synced before it takes its name; elsewhere it is one
    upload.

    Raises:
        InputError: the place cannot be written; what was there before is still there.
    """
    content = text.encode("utf-8")
    try:
        system, path = fsspec.core.url_to_fs(url)
        if isinstance(system, LocalFileSystem):
            _replace(Path(path), content)
        else:
            system.pipe_file(path, content)
    except Exception as error:
        reason = bounded_reason(error)
        msg = f"expected a place that can be written, got {reason}"
        raise InputError(msg, place=place_in(url), kind=kind) from error


def _replace(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name[:100]}.{uuid4().hex}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
