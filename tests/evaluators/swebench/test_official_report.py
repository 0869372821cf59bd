"""The harness's report on one task is read strictly, in the order of the specification."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.swebench import (
    ArtifactMismatch,
    InvalidArtifacts,
    OfficialReport,
    Transition,
    Transitions,
)

NAMES = st.lists(st.text(max_size=4), max_size=2)
GROUP = st.builds(Transition, success=NAMES, failure=NAMES)
STATUS = st.builds(
    Transitions, fail_to_pass=GROUP, pass_to_pass=GROUP, fail_to_fail=GROUP, pass_to_fail=GROUP
)
GROUPS = ("FAIL_TO_PASS", "PASS_TO_PASS", "FAIL_TO_FAIL", "PASS_TO_FAIL")
APPLIED: dict[str, object] = {
    "patch_is_None": False,
    "patch_exists": True,
    "patch_successfully_applied": True,
    "resolved": True,
    "infra_failure": False,
    "tests_status": {group: {"success": ["t"], "failure": []} for group in GROUPS},
}
FLAGS = [name for name in APPLIED if name != "tests_status"]


def entry(**members: object) -> str:
    """The report on case-a with other members."""
    return json.dumps({"case-a": {**APPLIED, **members}})


def status(**groups: object) -> dict[str, object]:
    """The tests' groups with others in place."""
    tests = APPLIED["tests_status"]
    return {**tests, **groups} if isinstance(tests, dict) else {}


def without(member: str) -> str:
    """The report on case-a without a member."""
    return json.dumps({"case-a": {name: one for name, one in APPLIED.items() if name != member}})


def test_the_whole_report_is_read() -> None:
    """Kernel 13.4: the official report is kept, tests and all."""
    report = OfficialReport.decode(entry(), "case-a")
    assert (report.resolved, report.applied, report.infra_failure) == (True, True, False)
    assert report.tests_status is not None
    assert report.tests_status.pass_to_fail == Transition(success=["t"], failure=[])


@st.composite
def reports(draw: st.DrawFn) -> OfficialReport:
    """A report without contradictions."""
    applied = draw(st.booleans())
    infra = draw(st.booleans())
    return OfficialReport(
        instance_id="case-a",
        applied=applied,
        resolved=applied and not infra and draw(st.booleans()),
        infra_failure=infra,
        infra_failure_reason=draw(st.text(min_size=1 if infra else 0, max_size=4)),
        tests_status=draw(STATUS) if applied else None,
    )


@settings(max_examples=40)
@given(report=reports())
def test_decoding_gives_back_what_was_encoded(report: OfficialReport) -> None:
    """The copy that is kept says what the file said."""
    assert OfficialReport.decode(report.encode(), "case-a") == report


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(json.dumps({"case-b": APPLIED}), id="another instance"),
        pytest.param(json.dumps({"case-a": APPLIED, "case-b": APPLIED}), id="one more"),
        pytest.param("{}", id="nobody"),
        pytest.param(entry(patch_is_None=True), id="no patch"),
        pytest.param(entry(patch_exists=False), id="patch does not exist"),
        pytest.param(entry(patch_exists=False, tests_status=None), id="and worse"),
    ],
)
def test_a_report_on_something_else_is_a_mismatch(text: str) -> None:
    """Kernel 13 example 3: such a file says nothing of what was submitted."""
    with pytest.raises(ArtifactMismatch):
        OfficialReport.decode(text, "case-a")


INVALID = {
    **{f"no {flag}": without(flag) for flag in FLAGS},
    **{f"null {flag}": entry(**{flag: None}) for flag in FLAGS},
    **{f"{flag} a string": entry(**{flag: "true"}) for flag in FLAGS},
    "an unknown member": entry(more=1),
    "another spelling": entry(Resolved=True),
    "a duplicate member": entry().replace('"resolved": true', '"resolved": true, "resolved": true'),
    "resolved but not applied": entry(patch_successfully_applied=False, tests_status=None),
    "resolved by a failure": entry(infra_failure=True, infra_failure_reason="r"),
    "a failure without reason": entry(resolved=False, infra_failure=True),
    "a reason that is a number": entry(resolved=False, infra_failure_reason=1),
    "applied without tests": without("tests_status"),
    "tests without applying": entry(resolved=False, patch_successfully_applied=False),
    "a missing group": entry(tests_status={"FAIL_TO_PASS": {"success": [], "failure": []}}),
    "an unknown group": entry(tests_status=status(MORE={"success": [], "failure": []})),
    "a null array": entry(tests_status=status(FAIL_TO_PASS={"success": None, "failure": []})),
    "a missing array": entry(tests_status=status(FAIL_TO_PASS={"success": []})),
    "an unknown array": entry(
        tests_status=status(FAIL_TO_PASS={"success": [], "failure": [], "more": []})
    ),
    "a name that is a number": entry(
        tests_status=status(FAIL_TO_PASS={"success": [1], "failure": []})
    ),
    "null": "null",
    "a null entry": '{"case-a": null}',
    "an array": "[]",
    "nothing": "",
    "half of it": entry()[:-5],
    "more than it": entry() + "{}",
}


@pytest.mark.parametrize("name", INVALID)
def test_a_report_that_breaks_its_form_is_invalid(name: str) -> None:
    """Kernel 13 example 6: missing, null, duplicate, unknown or contradictory."""
    with pytest.raises(InvalidArtifacts):
        OfficialReport.decode(INVALID[name], "case-a")


def test_the_form_is_judged_before_the_task_and_the_task_before_the_flags() -> None:
    """Kernel 13.4: decode, single key, booleans, patch, consistency, in this order."""
    cases: list[tuple[dict[str, object], type[Exception]]] = [
        ({"case-b": {"more": 1}}, InvalidArtifacts),
        ({"case-b": {}}, ArtifactMismatch),
        ({"case-a": {"patch_is_None": True}}, InvalidArtifacts),
        ({"case-a": {**APPLIED, "patch_is_None": True, "tests_status": None}}, ArtifactMismatch),
    ]
    for tree, category in cases:
        with pytest.raises(category):
            OfficialReport.decode(json.dumps(tree), "case-a")


def test_advice_on_the_environment_resolves_nothing() -> None:
    """Kernel 13.6: an ambiguous reason may stand there without a failure, too."""
    failed = OfficialReport.decode(
        entry(resolved=False, infra_failure=True, infra_failure_reason="out_of_memory"), "case-a"
    )
    ambiguous = OfficialReport.decode(
        entry(resolved=False, infra_failure_reason="missing_module"), "case-a"
    )
    assert (failed.resolved, failed.infra_failure) == (False, True)
    assert (ambiguous.resolved, ambiguous.infra_failure) == (False, False)
