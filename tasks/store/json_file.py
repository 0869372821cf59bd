"""Small records of the store as JSON files."""

import json
from collections.abc import Mapping
from typing import TypeAlias

from assay.evaluators.errors import describe
from assay.evaluators.schema import SCHEMA_VERSION
from assay.tasks.store.folder import Folder
from assay.tasks.store.store_error import StoreError

JsonRecord: TypeAlias = dict[str, object]
"""A JSON object as Python values."""


def encode_record(record: Mapping[str, object]) -> bytes:
    """The file of a record, indented for people.

    Raises:
        ValueError, TypeError: a value has no JSON form.
    """
    return json.dumps(record, indent=2, allow_nan=False).encode() + b"\n"


def read_record(folder: Folder, name: str) -> JsonRecord:
    """The record in a file.

    Raises:
        FileNotFoundError: there is no such file.
        StoreError: the file is no JSON object, or a newer version wrote it.
    """
    content = folder.read(name)
    try:
        record = json.loads(content)
    except ValueError as error:
        message = f"{folder.place}/{name}: expected a JSON object ({describe(error)[:200]})"
        raise StoreError(message) from error
    if not isinstance(record, dict):
        message = f"{folder.place}/{name}: expected a JSON object, got {type(record).__name__}"
        raise StoreError(message)
    version = record.get("schema_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise StoreError.newer(version, place=f"{folder.place}/{name}")
    return record
