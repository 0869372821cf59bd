"""The seven tasks of the specification's examples as a folder of files, and generated values."""

import json
import string
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import strategies as st

from assay.evaluators.canonical import WHITE_SPACE
from assay.evaluators.swebench import Collection, Prediction, Selection, Submission, Task

IDS = st.text(string.ascii_letters + string.digits + "_-", min_size=1, max_size=6)
TEXTS = st.text(min_size=1, max_size=6).filter(lambda text: text == text.strip(WHITE_SPACE))
DIGESTS = st.integers(0, 2**256 - 1).map(lambda number: f"sha256:{number:064x}")
PATCHES = {
    "case-empty": "",
    "case-error": "error\n",
    "case-infra": "infra\n",
    "case-invalid": "invalid\n",
    "case-resolved": "--- a\r\n+++ b\r\n",
    "case-unresolved": "unresolved é\n",
}

GROUPS = ("FAIL_TO_PASS", "PASS_TO_PASS", "FAIL_TO_FAIL", "PASS_TO_FAIL")
BLAMED = {
    "case-error": "container_unavailable",
    "case-infra": "out_of_memory",
    "case-unresolved": "tests_timed_out",
}

st.register_type_strategy(Task, st.builds(Task, instance_id=IDS, digest=DIGESTS))
st.register_type_strategy(
    Selection,
    st.builds(
        Selection,
        dataset=TEXTS,
        revision=st.integers(0, 2**160 - 1).map(lambda number: f"{number:040x}"),
        split=TEXTS,
        tasks=st.lists(
            st.from_type(Task), min_size=1, max_size=5, unique_by=lambda task: task.instance_id
        ),
    ),
)


@st.composite
def submissions(draw: st.DrawFn) -> Submission:
    """A submission for some of the tasks of a selection."""
    selection = draw(st.from_type(Selection))
    ids = draw(st.lists(st.sampled_from(selection.ids), unique=True))
    return Submission(
        selection=selection,
        model=draw(st.sampled_from(["agent", "vendor/agent", "vendor__agent"])),
        attempt_id=draw(TEXTS),
        predictions=[Prediction(instance_id=name, patch=draw(st.text(max_size=8))) for name in ids],
    )


st.register_type_strategy(Submission, submissions())


@pytest.fixture
def submission() -> Submission:
    """Six patches for seven tasks, of `vendor/agent`."""
    tasks = [
        Task(instance_id=name, digest=f"sha256:{place:064x}")
        for place, name in enumerate([*PATCHES, "case-missing"])
    ]
    return Submission(
        selection=Selection(dataset="data", revision="0" * 40, split="test", tasks=tasks),
        model="vendor/agent",
        attempt_id="attempt-1",
        predictions=[Prediction(instance_id=name, patch=patch) for name, patch in PATCHES.items()],
    )


@dataclass
class Folder:
    """The harness's folder of the seven tasks, to be changed before it is collected.

    Attributes:
        submission: What was handed in.
        files: The content of the files by their paths.
    """

    submission: Submission
    files: dict[str, bytes]

    def path(self, instance_id: str, name: str) -> str:
        """The path of a task's file."""
        return f"logs/evaluation/{self.submission.run_id}/vendor__agent/{instance_id}/{name}"

    @property
    def results(self) -> str:
        """The path of the totals."""
        return f"logs/evaluation/{self.submission.run_id}/results.json"

    def edit(self, path: str, change: Callable[[dict[str, object]], object]) -> None:
        """Change the JSON object in a file."""
        tree = json.loads(self.files[path])
        change(tree)
        self.files[path] = json.dumps(tree).encode()

    def collect(self) -> Collection:
        """Collect what is there."""
        return Collection.gather(self.submission, self.files.get)


def report_on(instance_id: str, *, resolved: bool, **more: object) -> bytes:
    """A report of the harness; an infrastructure failure has no tests."""
    applied = "infra_failure_reason" not in more
    entry: dict[str, object] = {
        "patch_is_None": False,
        "patch_exists": True,
        "patch_successfully_applied": applied,
        "resolved": resolved,
        "infra_failure": not applied,
        **more,
    }
    if applied:
        entry["tests_status"] = {name: {"success": [], "failure": ["t"]} for name in GROUPS}
    return json.dumps({instance_id: entry}).encode()


def totals() -> dict[str, object]:
    """The harness's totals of the seven tasks."""
    lists = {
        "submitted": sorted(PATCHES),
        "completed": ["case-infra", "case-invalid", "case-resolved", "case-unresolved"],
        "resolved": ["case-resolved"],
        "unresolved": ["case-infra", "case-unresolved"],
        "infra_failure": ["case-error", "case-infra"],
        "ambiguous_failure": ["case-unresolved"],
        "empty_patch": ["case-empty"],
        "error": ["case-error", "case-invalid"],
    }
    return {
        "total_instances": 7,
        **{f"{name}_instances": len(ids) for name, ids in lists.items()},
        **{f"{name}_ids": ids for name, ids in lists.items()},
        "incomplete_ids": ["case-missing"],
        "failure_reasons": BLAMED,
        "schema_version": 2,
    }


@pytest.fixture
def folder(submission: Submission) -> Folder:
    """What the harness left of the seven tasks."""
    made = Folder(submission, {})
    for name, patch in PATCHES.items():
        if patch:
            made.files[made.path(name, "patch.diff")] = patch.encode()
    reports = {
        "case-infra": report_on("case-infra", resolved=False, infra_failure_reason="out_of_memory"),
        "case-invalid": b"",
        "case-resolved": report_on("case-resolved", resolved=True),
        "case-unresolved": report_on("case-unresolved", resolved=False),
    }
    for name, content in reports.items():
        made.files[made.path(name, "report.json")] = content
    made.files[made.results] = json.dumps(totals()).encode()
    return made
