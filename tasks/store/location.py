"""Which store is meant, and the folder that its address leads to."""

import importlib.util
from collections.abc import Mapping
from pathlib import Path

import fsspec
from fsspec.implementations.local import LocalFileSystem

from assay.evaluators.errors import InputError, describe
from assay.tasks.store.folder import Folder
from assay.tasks.store.local_folder import LocalFolder
from assay.tasks.store.remote_folder import RemoteFolder

DEFAULT_STORE = "./.assay"
"""The store of those who name none: a folder below the current one."""

_EXTRAS = {
    "s3": ("s3", "s3fs"),
    "s3a": ("s3", "s3fs"),
    "gs": ("gcs", "gcsfs"),
    "gcs": ("gcs", "gcsfs"),
    "abfs": ("azure", "adlfs"),
    "abfss": ("azure", "adlfs"),
    "adl": ("azure", "adlfs"),
    "az": ("azure", "adlfs"),
}


def choose_store(
    option: str | None,
    *,
    environ: Mapping[str, str],
    declared: str | None = None,
    folder: str | Path | None = None,
) -> str:
    """The address of the store: the option, else `ASSAY_STORE`, else the declared one, else ours.

    Args:
        option: What `--store` gave.
        environ: The environment variables.
        declared: `store:` of the experiment file.
        folder: The folder of the experiment file, to which a declared path is relative.
    """
    given = option or environ.get("ASSAY_STORE") or ""
    if given:
        return given
    if not declared:
        return DEFAULT_STORE
    if folder is None or "://" in declared:
        return declared
    return str(Path(folder) / Path(declared).expanduser())


def open_folder(url: str) -> Folder:
    """The folder that an address leads to: a path, or any URL that fsspec knows.

    Nothing is written, and the folder need not exist.

    Raises:
        InputError: empty address, unknown protocol, missing extra, or a file in the way.
    """
    if not url.strip():
        message = "expected the path or URL of a store, got an empty text"
        raise InputError(message, kind="store")
    protocol = fsspec.core.split_protocol(url)[0] or "file"
    _require_extra(protocol, url)
    try:
        system, path = fsspec.core.url_to_fs(url)
        in_the_way = bool(system.isfile(path))
    except ValueError as error:
        raise InputError(_unknown(protocol), place=url, kind="store") from error
    except ImportError as error:
        message = f"{protocol}:// stores need a package that is not installed: {error}"
        raise InputError(message, place=url, kind="store") from error
    except Exception as error:
        message = f"the store cannot be reached: {describe(error)}"
        raise InputError(message, place=url, kind="store") from error
    if in_the_way:
        message = "expected a folder for the store, found a file"
        raise InputError(message, place=url, kind="store")
    if isinstance(system, LocalFileSystem):
        return LocalFolder(Path(path))
    return RemoteFolder(system, path, protocol=protocol)


def _require_extra(protocol: str, url: str) -> None:
    extra, module = _EXTRAS.get(protocol, ("", ""))
    if extra and importlib.util.find_spec(module) is None:
        message = f"{protocol}:// stores need an extra: pip install 'assay-evals[{extra}]'"
        raise InputError(message, place=url, kind="store")


def _unknown(protocol: str) -> str:
    known = "a path, file://, memory://, s3://, gs://, az:// or another protocol of fsspec"
    return f"no store can be opened by protocol {protocol[:40]!r}; expected {known}"
