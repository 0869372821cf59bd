"""Suites are stored as they are written, so no secret may stand in them."""

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.errors import InputError
from assay.evaluators.function import evaluator
from assay.evaluators.sample import Sample
from assay.tasks.mask_secrets import Secrets
from assay.tasks.refuse_secrets import refuse_secrets

SECRETS = Secrets(["canary-7261"])


@evaluator(revision="1")
def _check(_sample: Sample, *, key: str = "") -> bool:
    return bool(key)


def test_a_setting_with_a_secret_is_refused_without_showing_it() -> None:
    """The plan would either keep it or no longer say what was asked."""
    configured = Assessment("judge", _check.configured({"key": "canary-7261"}))
    with pytest.raises(InputError, match=r"'judge'.*from the environment") as refused:
        refuse_secrets([configured], SECRETS, place="suite.yaml")
    assert "canary" not in str(refused.value)


def test_an_id_with_a_secret_is_refused_without_showing_it() -> None:
    """It heads a column in every report."""
    with pytest.raises(InputError, match=r"'is \[masked\]'") as refused:
        refuse_secrets([Assessment("is canary-7261", _check)], SECRETS, place="")
    assert "canary" not in str(refused.value)


def test_a_secret_as_it_was_written_is_refused() -> None:
    """An entry may hold what its evaluator does not keep among its settings."""
    written = Assessment("a", _check, entry='{"id":"a","use":"x:y","with":{"k":"canary-7261"}}')
    with pytest.raises(InputError, match="'a'"):
        refuse_secrets([written], SECRETS, place="")


def test_a_suite_without_secrets_passes() -> None:
    """Which is nearly every one."""
    refuse_secrets([Assessment("a", _check)], SECRETS, place="")
