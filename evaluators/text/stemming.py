"""The stems of English words."""

import functools
from collections.abc import Callable
from typing import Annotated, cast

from pydantic import AfterValidator

from assay.evaluators.extra import load_extra, require_extra

_SHORTEST = 4


def stem(word: str) -> str:
    """The word without its English endings (Porter); others than ASCII and short ones as they are.

    Raises:
        InvalidEvaluatorConfig: the extra `stem` is not installed.

    References:
        M. F. Porter (1980), An algorithm for suffix stripping, Program 14(3), 130-137.
    """
    if len(word) < _SHORTEST or not word.isascii():
        return word
    return _stemmed(word)


@functools.lru_cache(maxsize=65536)
def _stemmed(word: str) -> str:
    # A stemmer keeps the word it works on, so that no two threads may share one.
    stemmer = load_extra("stem").stemmer("porter")
    return cast("Callable[[str], str]", stemmer.stemWord)(word)


def _checked(value: bool) -> bool:  # noqa: FBT001 - pydantic calls it so
    if value:
        require_extra("stem")
    return value


Stemming = Annotated[bool, AfterValidator(_checked)]
"""A setting that needs the extra `stem` where it is on."""
