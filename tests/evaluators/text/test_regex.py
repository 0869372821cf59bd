"""Whether the answer matches a regular expression, whoever searches."""

import re
import time
import warnings
from collections.abc import Callable

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators import extra
from assay.evaluators.errors import EvaluatorError, InvalidEvaluatorConfig
from assay.evaluators.report import Report
from assay.evaluators.text import regex
from assay.evaluators.text.linear_pattern import linear_pattern
from assay.evaluators.text.pattern import LONGEST, Pattern

Ask = Callable[..., Report]

PIECES = [
    *"abKis1_ .^$|()*+?]}-é中\n",
    *("(?:", "(?P<n>", "[ab]", "[^a]", "[a-z]", "[\\d_]", "[^\\w]", "[ -~]", "{2}", "{,2}", "*?"),
    *("\\d", "\\w", "\\s", "\\S", "\\W", "\\D", "\\.", "\\n", "\\A", "\\Z", "\\-", "\\b", "(?=a)"),
]
PATTERNS = st.builds(
    lambda flags, pieces: flags + "".join(pieces),
    st.sampled_from(["", "(?i)", "(?m)", "(?s)"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6),
)
TEXTS = st.text(
    "abkKisI\u0130\u0131\u017f\u212aéßẞ1\u0663\u00b2_ -.\n\r\v\x1c\x85\u2028中", max_size=6
)


@pytest.fixture(params=["with RE2", "without RE2"])
def _engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without RE2":
        monkeypatch.setitem(extra._MODULES, "re2", "no_such_package")  # noqa: SLF001 - as if not there


@pytest.mark.usefixtures("_engine")
@pytest.mark.parametrize(
    ("pattern", "output", "verdict"),
    [
        (r"\d$", "12\n", "pass"),
        (r"\d\Z", "12\n", "fail"),
        (r"^\d+$", "a\n12\nb", "fail"),
        (r"(?m)^\d+$", "a\n12\nb", "pass"),
        (r"(?i)paris", "in Paris.", "pass"),
        (r"paris", "in Paris.", "fail"),
        (r"\w+", "Köln", "pass"),
        (r"^\w+$", "Köln", "pass"),
        (r"\d", "\u0663", "pass"),
        (r"(?i)k", "\u212a", "pass"),
        (r"", "", "pass"),
        (r"\"n\":1", {"n": 1}, "pass"),
        (r"(a)\1", "aa", "pass"),
    ],
)
def test_patterns_mean_what_they_mean_in_python(
    ask: Ask, pattern: str, output: object, verdict: str
) -> None:
    """Library 17.7 F15 and Unicode, the same with and without the extra."""
    assert ask(regex, output, settings={"pattern": pattern}).verdict == verdict


@pytest.mark.parametrize("pattern", ["(", "a**", "[", "(?P<n>a)(?P<n>b)", "[[a]]"])
def test_a_pattern_that_does_not_compile_is_refused_at_once(pattern: str) -> None:
    """Library 4 has every case fail; here nothing runs at all."""
    with pytest.raises(InvalidEvaluatorConfig, match="pattern: expected a regular expression, got"):
        regex.configured({"pattern": pattern})


def test_a_pattern_is_text() -> None:
    """And must be given."""
    with pytest.raises(InvalidEvaluatorConfig, match="got int"):
        regex.configured({"pattern": 1})
    with pytest.raises(InvalidEvaluatorConfig, match="expected the setting 'pattern'"):
        regex.require_settings()


def test_re2_takes_no_longer_for_a_trap() -> None:
    """Fault B32: (a+)+$ on 40 a's and a b would hold Python's engine for days."""
    trap = regex.configured({"pattern": "(a+)+$"})
    assert trap.isolation == "thread"
    started = time.perf_counter()
    assert not Pattern("(a+)+$").found_in("a" * 40 + "b")
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize("pattern", [r"(a+)+\b$", r"(?=a)b", r"(a)\1", r"(?i)[a-f]", "(a$)b"])
def test_what_re2_reads_otherwise_runs_where_it_can_be_killed(pattern: str) -> None:
    """Python's engine holds the interpreter: no thread could end it."""
    assert linear_pattern(pattern) is None
    assert regex.configured({"pattern": pattern}).isolation == "process"


def test_without_re2_everything_runs_where_it_can_be_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The extra changes how fast a verdict comes, and never which."""
    with_it = regex.configured({"pattern": "a"})
    monkeypatch.setitem(extra._MODULES, "re2", "no_such_package")  # noqa: SLF001 - as if not there
    without = regex.configured({"pattern": "a"})
    assert (with_it.isolation, without.isolation) == ("thread", "process")
    assert with_it.descriptor == without.descriptor


def test_pythons_engine_is_given_no_more_than_a_cap() -> None:
    """A text that is not searched is no failed check, but no verdict at all."""
    assert Pattern("ab").found_in("a" * LONGEST + "b")
    with pytest.raises(EvaluatorError, match="expected at most 1,000,000 characters") as caught:
        Pattern(r"\bab").found_in("a" * LONGEST + "b")
    assert caught.value.error_class == "unsupported"


@given(PATTERNS, TEXTS)
def test_re2_and_python_agree_wherever_re2_is_used(pattern: str, text: str) -> None:
    """Else installing a package would change verdicts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = re.compile(pattern).search(text) is not None
        except re.error:
            return
    linear = linear_pattern(pattern)
    if linear is None:
        return
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(linear, options)
    except re2.error:
        return
    assert (compiled.search(text) is not None) == expected, linear
