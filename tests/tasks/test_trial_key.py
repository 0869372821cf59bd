"""The name of a trial."""

from assay.tasks.trial_key import TrialKey


def test_a_trial_is_named_by_its_case_and_its_repeat() -> None:
    """As people find it in Prefect."""
    assert TrialKey("greeting", 2).name == "greeting#2"


def test_names_of_odd_cases_are_taken_as_they_are() -> None:
    """No brace or percent sign in an id is a format."""
    assert TrialKey("{case_id} %s #1", 0).name == "{case_id} %s #1#0"
