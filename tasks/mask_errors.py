"""Errors about what the user gave, without the secrets that foreign code put into them."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from assay.evaluators.errors import InputError
from assay.tasks.mask_secrets import Secrets


@contextmanager
def masked_errors(names: Iterable[str]) -> Iterator[None]:
    """Mask secrets in the sentence of an InputError that the block raises.

    A module of the user may put anything into what it raises while it is imported.

    Args:
        names: Of the environment variables that hold secrets.

    Raises:
        InputError: the same, masked.
    """
    try:
        yield
    except InputError as error:
        secrets = Secrets(os.environ.get(name, "") for name in names)
        masked = secrets.mask(str(error))
        if masked == str(error):
            raise
        place = secrets.mask(error.place)
        message = masked.removeprefix(f"{place}: ") if place else masked
        raise InputError(message, place=place, kind=error.kind) from None
