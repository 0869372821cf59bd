"""Generated selections, which `from_type` draws."""

import string

from hypothesis import strategies as st

from assay.evaluators.canonical import WHITE_SPACE
from assay.evaluators.swebench import Selection, Task

IDS = st.text(string.ascii_letters + string.digits + "_-", min_size=1, max_size=6)
TEXTS = st.text(min_size=1, max_size=6).filter(lambda text: text == text.strip(WHITE_SPACE))
DIGESTS = st.text("0123456789abcdef", min_size=64, max_size=64).map(lambda text: f"sha256:{text}")

st.register_type_strategy(Task, st.builds(Task, instance_id=IDS, digest=DIGESTS))
st.register_type_strategy(
    Selection,
    st.builds(
        Selection,
        dataset=TEXTS,
        revision=st.text("0123456789abcdef", min_size=40, max_size=40),
        split=TEXTS,
        tasks=st.lists(
            st.from_type(Task), min_size=1, max_size=5, unique_by=lambda task: task.instance_id
        ),
    ),
)
