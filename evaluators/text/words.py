"""The words of a text in any script, as ROUGE counts them."""

import re
import unicodedata

_SEPARATE = re.compile(
    "["
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u3040-\u30ff\u31f0-\u31ff"  # hiragana, katakana
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"  # ideographs of the supplementary planes
    "]"
)
_SYLLABIC = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f]"
)
_ASCII_WORD = re.compile("[a-z0-9]+")
_KEPT = frozenset("LMN")


class _Spacing(dict[int, str]):
    """A character as it stands in a text to be split at spaces; filled as characters come."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        if unicodedata.category(letter)[0] not in _KEPT:
            spaced = " "
        elif _SEPARATE.match(letter) and unicodedata.category(letter)[0] != "M":
            spaced = f" {letter} "
        else:
            spaced = letter
        self[code] = spaced
        return spaced


_SPACING = _Spacing()


def words(text: str, *, split_syllabic: bool = False) -> list[str]:
    """The lower-case words of a text; Chinese, Japanese and Korean characters one by one.

    After NFKC and lower-casing, a character that is a CJK one is a word by itself; letters, digits
    and combining marks are parts of a word; anything else separates words, the apostrophe, hyphen
    and underscore too.

    Args:
        text: Any text.
        split_syllabic: Thai, Lao, Khmer and Burmese, which put no spaces between words, are split
            into base letters with their marks; otherwise a run of them is one word.

    Examples:
        >>> words("snake_case v2.0"), words("今天is好day")
        (['snake', 'case', 'v2', '0'], ['今', '天', 'is', '好', 'day'])
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    found = unicodedata.normalize("NFKC", text).lower().translate(_SPACING).split()
    if not split_syllabic:
        return found
    return [part for word in found for part in _syllables(word)]


def _syllables(word: str) -> list[str]:
    if not _SYLLABIC.search(word):
        return [word]
    parts: list[str] = []
    for letter in word:
        is_base = bool(_SYLLABIC.match(letter)) and not _is_mark(letter)
        after_base = bool(parts) and bool(_SYLLABIC.match(parts[-1]))
        if not parts or is_base or (after_base and not _is_mark(letter)):
            parts.append(letter)
        else:
            parts[-1] += letter
    return parts


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")
