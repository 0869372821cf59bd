"""How many words the answer shares with the expected one."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators import extra
from assay.evaluators.errors import InvalidEvaluatorConfig, Skip
from assay.evaluators.report import Report
from assay.evaluators.text import rouge1, rouge1_f1, words

Ask = Callable[..., Report]
TEXTS = st.text("ab c世界éส", max_size=12)

TABLE = [
    ("R1", "The capital of France is Paris.", "Paris is the capital of France", 1.0),
    ("R2", "Paris", "The capital of France is Paris", 0.285714),
    ("R3", "the cat sat on the mat", "the cat is on the mat", 0.833333),
    ("R4 clipped", "the the the the", "the cat", 0.333333),
    ("R5", "running runs", "run run", 0.0),
    ("R6", "He is running quickly", "He runs quick", 0.285714),
    (
        "R7",
        "Your parcel left at noon.",
        "Your parcel left the depot at 12 and arrives tomorrow.",
        0.533333,
    ),
    ("R8", "red green blue", "red green blue violet", 0.857143),
    ("R9", "red green blue", "Red", 0.5),
    ("R10", "", "", 0.0),
    ("R11", "...", "!!!", 0.0),
    ("R12", "don't stop", "dont stop", 0.4),
    ("R13", "state-of-the-art", "state of the art", 1.0),
    ("R14", "snake_case", "snake case", 1.0),
    ("R15", "1,000 km", "1000 km", 0.4),
    ("R16", "The kitchen lamp is now switched off.", "Kitchen lamp switched off now", 0.833333),
    ("R17", "你好世界", "你好", 0.666667),
    ("R18", "今天天气很好", "今天天气不好", 0.833333),
    ("R19", "東京は日本の首都です", "日本の首都は東京です", 1.0),
    ("R20", "안녕하세요", "안녕", 0.571429),
    ("R21", "안녕하세요 세계", "안녕하세요", 0.833333),
    ("R22", "これはテスト候補の応答", "これはテストの正解", 0.7),
    ("R22 spaced", "これは テスト 候補の 応答", "これは テストの 正解", 0.7),
    ("R23", "iPhone15手机", "手机 iphone15", 1.0),
    ("R24", "Café", "Cafe", 0.0),
    ("R25", "CAFÉ", "café", 1.0),
    ("R26", "Привет мир", "привет, мир!", 1.0),
    ("R27", "Привет мир", "мир", 0.666667),
    ("R28 half-width", "\uff83\uff7d\uff84", "テスト", 1.0),
    ("R29 full-width", "\uff28\uff45\uff4c\uff4c\uff4f", "hello", 1.0),
    ("R30", "Hello 👋 world", "hello world", 1.0),
    ("R31", "สวัสดี", "สวัสดี", 1.0),
    ("R32", "STRASSE", "straße", 0.0),
    ("B41", "巴黎是法国的首都", "巴黎是法国的首都", 1.0),
]
STEMMED = {"R5": 1.0, "R6": 0.571429, "R7": 0.533333, "R16": 0.833333}


@pytest.mark.parametrize(("number", "candidate", "reference", "f1"), TABLE)
def test_scores_of_the_table(
    ask: Ask, number: str, candidate: str, reference: str, f1: float
) -> None:
    """Library 17.2, the column of our default (rouge-score 0.1.2 for ASCII), and fault B41."""
    del number
    report = ask(rouge1, candidate, reference)
    assert report.score == pytest.approx(f1, abs=5e-7)
    assert report.decision is None


@pytest.mark.parametrize("number", STEMMED)
def test_stems_are_compared_on_demand(ask: Ask, number: str) -> None:
    """Library 17.2, the column of rouge-score 0.1.2 with its stemmer."""
    candidate, reference = next((row[1], row[2]) for row in TABLE if row[0] == number)
    report = ask(rouge1, candidate, reference, {"stem_words": True})
    assert report.score == pytest.approx(STEMMED[number], abs=5e-7)


def test_words_of_the_table() -> None:
    """Library 17.2, the line of tokens."""
    assert words("running quickly don't") == ["running", "quickly", "don", "t"]
    assert words("今天is好day") == ["今", "天", "is", "好", "day"]
    assert words("snake_case v2.0") == ["snake", "case", "v2", "0"]
    assert words("ประเทศไทย") == ["ประเทศไทย"]
    assert len(words("ประเทศไทย", split_syllabic=True)) == 9


def test_split_syllables_keep_their_marks() -> None:
    """A mark alone is no letter of the script; Latin beside it stays whole."""
    assert words("สวัสดี abc", split_syllabic=True) == ["ส", "วั", "ส", "ดี", "abc"]
    assert words("ดีok", split_syllabic=True) == ["ดี", "ok"]


def test_combining_marks_are_parts_of_words() -> None:
    """Fault B41: an ASCII tokeniser tears Hindi apart, or drops it."""
    assert words("हिन्दी भाषा") == ["हिन्दी", "भाषा"]


@pytest.mark.parametrize(
    ("number", "verdict"), [("R3", "pass"), ("R16", "pass"), ("R6", "fail"), ("R22", "fail")]
)
def test_a_threshold_decides(ask: Ask, number: str, verdict: str) -> None:
    """Library 17.2 R33: ResponseMatch(0.8)."""
    candidate, reference = next((row[1], row[2]) for row in TABLE if row[0] == number)
    report = ask(rouge1, candidate, reference, {"threshold": 0.8})
    assert report.verdict == verdict
    assert "threshold" not in report.metric.parameters


def test_without_an_expected_text_it_does_not_apply(ask: Ask) -> None:
    """Library 4: skip without expected."""
    with pytest.raises(Skip):
        ask(rouge1, "a")


def test_a_missing_extra_is_told_at_load(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any target is called, in one sentence with what to install."""
    monkeypatch.setitem(extra._MODULES, "stem", "no_such_package")  # noqa: SLF001 - as if not there
    with pytest.raises(
        InvalidEvaluatorConfig,
        match=r"^rouge1: stem_words: expected the package .*pip install 'assay-evals\[stem\]'$",
    ):
        ask(rouge1, "a", "a", {"stem_words": True})


@given(TEXTS, TEXTS)
def test_f1_is_symmetric_bounded_and_blind_to_order(one: str, other: str) -> None:
    """The laws of a clipped overlap."""
    left, right = words(one), words(other)
    score = rouge1_f1(left, right)
    assert 0 <= score <= 1
    assert score == rouge1_f1(right, left) == rouge1_f1(left[::-1], right)
    assert rouge1_f1(left, left) == (1.0 if left else 0.0)


@given(TEXTS)
def test_splitting_loses_no_letter(text: str) -> None:
    """Whichever way syllables are treated, the same letters stand in the words."""
    assert "".join(words(text)) == "".join(words(text, split_syllabic=True))
