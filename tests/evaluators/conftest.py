"""Generated kernel values, which `from_type` draws, and one way to ask an evaluator."""

import datetime as dt
from collections.abc import Callable, Mapping

import pytest
from hypothesis import strategies as st

from assay.evaluators.canonical import WHITE_SPACE
from assay.evaluators.case import Case
from assay.evaluators.decision import Decision
from assay.evaluators.evidence import (
    ConversationExcerpt,
    EvaluatorDiagnostic,
    MessageIndex,
    StructuredOutput,
    StructuredOutputError,
    Timing,
    ToolOperation,
    UsageCounts,
)
from assay.evaluators.execution import ABSENT, Execution, ToolCall, Usage
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.function import FunctionEvaluator
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample

COUNTS = st.integers(0, 2**63)
SECONDS = st.floats(0, 1e9)
NAMES = st.text(min_size=1, max_size=8).filter(lambda text: text == text.strip(WHITE_SPACE))
WORDS = st.text(max_size=12)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
MAPS = st.dictionaries(st.text(min_size=1, max_size=8), JSON, max_size=3).map(OpenMap.of)
METRICS = st.builds(
    Metric,
    name=NAMES.map(lambda text: text.replace("/", "_")),
    namespace=st.just("") | NAMES.map(lambda text: text.replace("/", "_")),
    unit=st.just("") | NAMES,
    direction=st.sampled_from(["", "higher_is_better", "lower_is_better"]),
    parameters=MAPS,
)
DECISIONS = st.builds(
    Decision, policy=NAMES, verdict=st.sampled_from(["pass", "fail"]), parameters=MAPS
)
EVIDENCE = st.one_of(
    st.builds(
        ConversationExcerpt, id=NAMES, message_index=COUNTS, role=WORDS, hash=WORDS, redacted=WORDS
    ),
    st.builds(MessageIndex, id=NAMES, index=COUNTS),
    st.builds(Timing, id=NAMES, duration_seconds=SECONDS, label=WORDS),
    st.builds(
        UsageCounts,
        id=NAMES,
        model=WORDS,
        input_tokens=COUNTS,
        output_tokens=COUNTS,
        reasoning_tokens=COUNTS,
    ),
    st.builds(ToolOperation, id=NAMES, tool_name=NAMES, args_bytes=COUNTS, is_error=st.booleans()),
    st.builds(
        StructuredOutputError,
        id=NAMES,
        reason=st.sampled_from(["invalid_json", "schema_mismatch", "empty_output"]),
        detail_hash=WORDS,
    ),
    st.builds(StructuredOutput, id=NAMES, schema_name=WORDS, schema_revision=WORDS),
    st.builds(EvaluatorDiagnostic, id=NAMES, code=NAMES, severity=st.just("low"), message=WORDS),
)


@st.composite
def _reports(draw: st.DrawFn, details: st.SearchStrategy[list[Report]]) -> Report:
    evidence = draw(st.lists(EVIDENCE, max_size=2, unique_by=lambda one: one.id))
    ids = [one.id for one in evidence]
    references = [EvidenceRef(evidence_id=one) for one in ids] + [EvidenceRef(message_index=3)]
    findings = st.builds(
        Finding,
        code=NAMES,
        severity=st.sampled_from(["info", "low", "medium"]),
        message=WORDS,
        references=st.lists(st.sampled_from(references), max_size=2),
    )
    return Report(
        metric=draw(METRICS),
        decision=draw(st.none() | DECISIONS),
        score=draw(st.floats(0, 1)),
        measurement=draw(st.none() | st.floats(allow_nan=False, allow_infinity=False)),
        label=draw(st.none() | WORDS),
        feedback=draw(WORDS),
        metadata=draw(MAPS),
        details=draw(details),
        findings=draw(st.lists(findings, max_size=2, unique_by=lambda one: one.code)),
        evidence=evidence,
    )


EXECUTIONS = st.builds(
    Execution,
    output=st.just(ABSENT) | JSON,
    usage=st.none() | st.builds(Usage, input_tokens=COUNTS, reasoning_tokens=COUNTS),
    cost=st.none() | SECONDS,
    started_at=st.none() | st.datetimes(timezones=st.just(dt.UTC)),
    duration_seconds=st.none() | SECONDS,
    messages=st.none() | st.lists(st.dictionaries(WORDS, JSON, max_size=2), max_size=2),
    tool_calls=st.none()
    | st.lists(st.builds(ToolCall, name=NAMES, arguments=JSON, result=JSON), max_size=2),
    spans=st.none() | st.lists(st.dictionaries(WORDS, JSON, max_size=2), max_size=2),
    metadata=MAPS,
) | st.builds(
    Execution,
    status=st.sampled_from(["budget_exhausted", "canceled", "failed"]),
    output=st.just(ABSENT) | JSON,
    reason=NAMES,
)

st.register_type_strategy(OpenMap, MAPS)
st.register_type_strategy(Metric, METRICS)
st.register_type_strategy(Decision, DECISIONS)
st.register_type_strategy(
    Report,
    st.recursive(
        _reports(st.just([])),
        lambda inner: _reports(st.lists(inner, max_size=2)),
        max_leaves=3,
    ),
)
st.register_type_strategy(Execution, EXECUTIONS)


@pytest.fixture(scope="session")
def ask() -> Callable[..., Report]:
    """Return what an evaluator with some settings says of an output beside an expected value."""

    def asked(
        evaluator: FunctionEvaluator[object],
        output: object,
        expected: object = None,
        settings: Mapping[str, object] | None = None,
    ) -> Report:
        sample = Sample(Case(id="c", input=1, expected=expected), Execution(output=output))
        return evaluator.configured(settings or {}).grade(sample)

    return asked
