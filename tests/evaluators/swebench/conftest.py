"""The seven tasks of the specification's examples, and generated selections and submissions."""

import string

import pytest
from hypothesis import strategies as st

from assay.evaluators.canonical import WHITE_SPACE
from assay.evaluators.swebench import Prediction, Selection, Submission, Task

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
