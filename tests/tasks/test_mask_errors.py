"""Sentences about what the user gave, without secrets."""

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.mask_errors import masked_errors


def test_an_error_about_input_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Place and kind stay, so that the user finds it."""
    monkeypatch.setenv("KEY", "canary-7261")
    with pytest.raises(InputError) as refused, masked_errors(["KEY"]):
        raise InputError("got ValueError: canary-7261", place="suite.yaml", kind="suite")
    assert str(refused.value) == "suite.yaml: got ValueError: [masked]"
    assert (refused.value.place, refused.value.kind) == ("suite.yaml", "suite")
    assert refused.value.__suppress_context__, "the secret does not stand in a traceback either"


def test_a_key_that_nobody_declared_is_masked() -> None:
    """By its shape."""
    with pytest.raises(InputError, match=r"got \[masked\]$"), masked_errors([]):
        raise InputError("got sk-canary1234567890abcdefgh")


def test_an_error_without_a_secret_is_itself() -> None:
    """With its cause."""
    error = InputError("expected a suite")
    with pytest.raises(InputError) as refused, masked_errors(["NOT_SET"]):
        raise error
    assert refused.value is error
