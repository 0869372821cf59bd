"""A case as a run keeps it: nothing secret is kept, and the target still gets what was meant."""

import pytest

from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset
from assay.evaluators.errors import InputError
from assay.evaluators.open_map import OpenMap
from assay.tasks.mask_secrets import NO_SECRETS, Secrets
from assay.tasks.plan_case import fixture_of, plan_case

SECRETS = Secrets(["canary-7261"])


def test_a_secret_in_a_case_reaches_the_target_alone() -> None:
    """The snapshot, evaluators and reports see the mask; the question stays the question."""
    case = Case(
        id="a",
        input={"token": "canary-7261"},
        expected="canary-7261!",
        metadata=OpenMap.of({"note": "canary-7261"}),
    )
    planned = plan_case(case, (), SECRETS, place="cases.jsonl")
    assert "canary" not in str(planned.texts)
    assert planned.texts.input == '{"token":"[masked]"}'
    assert planned.texts.expected == '"[masked]!"'
    assert planned.target_input == '{"token":"canary-7261"}'


def test_digests_are_of_what_is_kept() -> None:
    """So that a snapshot can be checked against them, and the secret cannot be guessed from one."""
    kept = Case(id="a", input="[masked]", expected="x")
    masked = plan_case(Case(id="a", input="canary-7261", expected="x"), (), SECRETS, place="")
    assert (masked.digest, masked.input_digest) == (kept.digest, kept.input_digest)


def test_a_case_without_secrets_is_kept_as_it_is() -> None:
    """Nothing is held twice, and the fixture is the dataset's own."""
    cases = [Case(id="a", input=3.0, expected=1), Case(id="b", input=None)]
    planned = [plan_case(case, (), SECRETS, place="") for case in cases]
    assert [one.given for one in planned] == [None, None]
    assert planned[0].target_input == "3.0"
    assert fixture_of(planned) == Dataset(cases=cases).fixture_id


def test_an_id_with_a_secret_is_refused_without_showing_it() -> None:
    """An id is a name of task runs, a column, a heading: masking it would merge cases."""
    with pytest.raises(InputError, match=r"case '\[masked\]': expected an id") as refused:
        plan_case(Case(id="canary-7261", input=1), (), SECRETS, place="cases.jsonl")
    assert "canary" not in str(refused.value)


def test_an_object_that_json_cannot_hold_is_named() -> None:
    """A Python program may put anything into a case."""
    with pytest.raises(InputError, match=r"plan\.dataset, case 'a'"):
        plan_case(Case(id="a", input=object()), (), NO_SECRETS, place="plan.dataset")
