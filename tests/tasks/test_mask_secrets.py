"""What must never reach a receipt, a grade or a log."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.canonical import decode, encode, spell
from assay.evaluators.errors import InputError
from assay.tasks.mask_secrets import MASK, NO_SECRETS, Secrets

GITHUB = "ghp_" + "a1B2" * 9
SHAPED = {
    "provider key": "sk-proj-" + "Ab1_" * 8,
    "github token": GITHUB,
    "github fine-grained": "github_pat_" + "11AB" * 8,
    "aws key id": "AKIA" + "IOSFODNN7EXAMPLE",
    "google key": "AIza" + "Sy0d" * 9,
    "slack token": "xoxb-123456789012-abcdef",
    "web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIB1\n+/=\n-----END RSA PRIVATE KEY-----",
    "cut private key": "-----BEGIN PRIVATE KEY-----\nMIIB1",
}
PLAIN = st.text(st.sampled_from('abcdef "\\\n\té日'), max_size=30)


@pytest.mark.parametrize("secret", SHAPED.values(), ids=SHAPED)
def test_a_secret_of_a_known_shape_is_masked(secret: str) -> None:
    """Nobody has to declare what looks like a key."""
    assert NO_SECRETS.mask(f"it is {secret}") == f"it is {MASK}"
    assert secret.split("\n", 1)[0] not in NO_SECRETS.mask_json(encode({"k": [secret], secret: 1}))


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Authorization: Bearer abcdef0123456789", f"Authorization: Bearer {MASK}"),
        ("authorization: bearer\tabcdef0123456789.x", f"authorization: bearer\t{MASK}"),
        ("postgres://me:hunter2@db/x", f"postgres://{MASK}@db/x"),
    ],
)
def test_only_the_secret_part_is_masked(text: str, masked: str) -> None:
    """What stands around a token says which one it was."""
    assert NO_SECRETS.mask(text) == masked
    assert decode(NO_SECRETS.mask_json(encode(text))) == masked


@pytest.mark.parametrize(
    "prose",
    [
        "the task-management-and-risk-assessment plan",
        "sk-learn-compatible-estimators-everywhere",
        "a bearer of internationalization-news",
        "https://example.com/a:b?c=d@e",
        "eyJ is how such tokens begin",
        "AKIA",
    ],
)
def test_prose_stays(prose: str) -> None:
    """An output that is masked for no reason is graded wrongly."""
    assert NO_SECRETS.mask(prose) == prose


@given(st.text(st.sampled_from('abc"\\\n/é'), min_size=4, max_size=12), PLAIN, PLAIN)
def test_no_declared_value_survives_in_json(secret: str, before: str, after: str) -> None:
    """However JSON escapes it, and whether it is a value or a key."""
    text = encode({"v": before + secret + after, before + secret: [secret]})
    masked = Secrets([secret]).mask_json(text)
    tree = decode(masked)
    assert isinstance(tree, dict)
    assert all(secret not in key for key in tree)
    assert all(secret not in str(value) for value in tree.values() if isinstance(value, str))
    assert spell(tree) == masked, "it is spelled as before, but for the secrets"


def test_an_escaped_spelling_hides_nothing() -> None:
    r"""`\u0065` in the reply of a program is an e like any other."""
    written = encode(decode('{"k": "hunt\\u0065r22"}'))
    assert Secrets(["hunter22"]).mask_json(written) == f'{{"k":"{MASK}"}}'


def test_json_within_a_string_is_masked_too() -> None:
    """A model likes to answer with JSON in text, in which a quote is escaped once more."""
    secrets = Secrets(['pass"word\n1'])
    assert secrets.mask(json.dumps({"k": 'pass"word\n1'})) == f'{{"k": "{MASK}"}}'


def test_overlapping_secrets_leave_no_rest() -> None:
    """Masking the longest alone would leave the end of the other one."""
    assert Secrets(["abcd", "cdefgh"]).mask("xabcdefghx") == f"x{MASK}x"
    assert Secrets(["abcd", "abcdef"]).mask("abcdef abcd") == f"{MASK} {MASK}"
    assert Secrets(["aaaa"]).mask("aaaaa") == MASK


def test_a_number_that_is_a_secret_is_masked() -> None:
    """A PIN does not become public by being read as a number."""
    assert Secrets(["12345678"]).mask_json("[12345678,1234567]") == f'["{MASK}",1234567]'


def test_masked_keys_stay_apart() -> None:
    """Two keys that become equal must not swallow each other's values."""
    masked = decode(Secrets(["alpha", "gamma"]).mask_json('{"alpha":1,"gamma":2}'))
    assert masked == {MASK: 1, f"{MASK} 2": 2}


def test_an_unset_variable_holds_no_secret() -> None:
    """An empty value would be found everywhere."""
    secrets = Secrets.from_environment(["UNSET", "EMPTY"], {"EMPTY": "  "})
    assert secrets.mask("anything") == "anything"


def test_a_variable_is_masked_without_its_line_break() -> None:
    """A key read from a file often brings the end of the line along."""
    assert Secrets.from_environment(["K"], {"K": "hunter22\n"}).mask("hunter22!") == f"{MASK}!"


def test_a_short_secret_is_refused_by_name_alone() -> None:
    """Hiding `1` would hide every 1; and the message must not say what the secret is."""
    with pytest.raises(InputError, match=r"secrets: PIN: expected .* at least 4") as refused:
        Secrets.from_environment(["PIN"], {"PIN": "q7z"})
    assert "q7z" not in str(refused.value)


def test_a_text_without_secrets_comes_back_as_it_is() -> None:
    """The common case costs no parsing, so even text that is no JSON passes."""
    text = '{"not": json'
    assert NO_SECRETS.mask_json(text) is text


@pytest.mark.parametrize(
    "hostile",
    [
        "sk-" * 100_000,
        "eyJ" * 100_000,
        "-----BEGIN " * 50_000,
        "Bearer " + " " * 300_000,
        "://" * 100_000,
        "://a:" * 50_000,
    ],
)
def test_hostile_output_costs_linear_time(hostile: str) -> None:
    """A quadratic pattern would let one output hold up the run; this would take minutes."""
    assert NO_SECRETS.mask(hostile)


def test_a_value_is_masked_in_its_texts_and_keys() -> None:
    """A plan is a tree of Python values when it is masked."""
    secrets = Secrets(["canary-7261"])
    given = {"argv": ["bot", "--key=canary-7261"], "canary-7261": 1.5, "n": None}
    assert secrets.mask_value(given) == {
        "argv": ["bot", "--key=[masked]"],
        "[masked]": 1.5,
        "n": None,
    }


def test_a_value_without_secrets_is_returned_as_it_is() -> None:
    """Nothing is spelled and read again for nothing."""
    given = {"a": (1, 2)}
    assert Secrets(["canary-7261"]).mask_value(given) is given
