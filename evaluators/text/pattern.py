"""A regular expression that is compiled once and can be searched for by many threads."""

import re
import warnings
from typing import Annotated, Protocol, cast

from pydantic import PlainValidator
from typing_extensions import Doc

from assay.evaluators.errors import EvaluatorError, InvalidEvaluatorConfig
from assay.evaluators.evaluator import Isolation
from assay.evaluators.excerpt import excerpt
from assay.evaluators.extra import has_extra, load_extra
from assay.evaluators.text.linear_pattern import linear_pattern

LONGEST = 1_000_000
"""The most characters that Python's engine is given."""


class _Engine(Protocol):
    def search(self, text: str, /) -> object: ...


class Pattern:
    """A regular expression in Python's syntax and with Python's meaning.

    Where RE2 is installed and reads the expression alike, RE2 searches, in a time that grows with
    the text alone. Python's own engine can take for ever, and holds the interpreter while it does,
    so that only a process of its own can be ended.

    Attributes:
        isolation: `thread` for RE2, `process` for Python's engine.
    """

    def __init__(self, text: str) -> None:
        """Compile it.

        Raises:
            InvalidEvaluatorConfig: when Python cannot.
        """
        self._engine = _python(text)
        self.isolation: Isolation = "process"
        linear = linear_pattern(text) if has_extra("re2") else None
        compiled = None if linear is None else _re2(linear)
        if compiled is not None:
            self._engine, self.isolation = compiled, "thread"

    def found_in(self, text: str) -> bool:
        """True if the expression matches anywhere in the text.

        Raises:
            EvaluatorError: unsupported, when the text is too long for Python's engine.
        """
        if self.isolation == "process" and len(text) > LONGEST:
            msg = (
                f"expected at most {LONGEST:,} characters for this pattern, got {len(text):,}; "
                "select a part of the output, or use a pattern that RE2 (the extra re2) can search"
            )
            raise EvaluatorError("unsupported", msg)
        return self._engine.search(text) is not None


def _python(text: str) -> _Engine:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            return re.compile(text)
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        msg = f"expected a regular expression, got {excerpt(text, 60)}: {error}"
        raise InvalidEvaluatorConfig(msg) from error


def _re2(linear: str) -> _Engine | None:
    module = load_extra("re2")
    options = module.Options()
    options.log_errors = False
    try:
        return cast("_Engine", module.compile(linear, options))
    except module.error:
        return None


def _compiled(value: object) -> Pattern:
    if not isinstance(value, str):
        msg = f"expected a regular expression, got {type(value).__name__}"
        raise InvalidEvaluatorConfig(msg)
    return Pattern(value)


PatternSetting = Annotated[Pattern, PlainValidator(_compiled), Doc("a regular expression")]
"""A setting that a suite writes as text."""
