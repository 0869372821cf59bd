"""The pinned columns of stored rows: cases, executions, grades and identities.

Payloads (input, output, metadata, messages, ...) are JSON texts, so that no type is ever inferred
from what a model wrote. What repeats from row to row (case and assessment ids, digests of
identities, statuses) is dictionary-encoded. A column may be added under a higher
`SCHEMA_VERSION`; none is ever removed or given another type, so that older files stay readable.
"""

import pyarrow as pa

SCHEMA_VERSION = 1
"""The version that rows are written in; every row carries its own."""

STAMPED = ("committed_at", "row_digest", "schema_version")
"""Columns that the store fills in when it commits a row; a row that is handed in lacks them."""

_IDENTITY = pa.dictionary(pa.int32(), pa.string())
_MOMENT = pa.timestamp("us", tz="UTC")


def _required(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)


CASES = pa.schema(
    [
        _required("case_id", _IDENTITY),
        _required("input", pa.string()),
        pa.field("expected", pa.string()),
        _required("metadata", pa.string()),
        pa.field("suite", pa.string()),
        _required("case_digest", pa.string()),
        _required("input_digest", pa.string()),
        _required("position", pa.int32()),
        _required("schema_version", pa.int32()),
    ]
)
"""One row a case: what the run was planned over. A null `expected` is a case without one."""

EXECUTIONS = pa.schema(
    [
        _required("case_id", _IDENTITY),
        _required("repeat", pa.int32()),
        _required("kind", _IDENTITY),
        _required("attempts", pa.int32()),
        _required("status", _IDENTITY),
        pa.field("error_class", _IDENTITY),
        pa.field("error", pa.string()),
        _required("output_present", pa.bool_()),
        pa.field("output", pa.string()),
        _required("reason", pa.string()),
        pa.field("messages", pa.string()),
        pa.field("tool_calls", pa.string()),
        pa.field("usage", pa.string()),
        pa.field("cost", pa.float64()),
        pa.field("spans", pa.string()),
        pa.field("metadata", pa.string()),
        pa.field("started_at", _MOMENT),
        pa.field("duration_seconds", pa.float64()),
        pa.field("waits", pa.string()),
        _required("case_digest", pa.string()),
        pa.field("receipt_digest", pa.string()),
        _required("committed_at", _MOMENT),
        _required("row_digest", pa.string()),
        _required("schema_version", pa.int32()),
    ]
)
"""One row an execution; `kind`: `receipt`, `failure` (attempts used up), `late` (not counted)."""

GRADES = pa.schema(
    [
        _required("case_id", _IDENTITY),
        _required("repeat", pa.int32()),
        _required("assessment_id", _IDENTITY),
        _required("key", pa.string()),
        _required("status", _IDENTITY),
        pa.field("error_class", _IDENTITY),
        pa.field("error", pa.string()),
        _required("evaluator", _IDENTITY),
        pa.field("metric", _IDENTITY),
        pa.field("observation", _IDENTITY),
        pa.field("policy", _IDENTITY),
        _required("verdict", _IDENTITY),
        pa.field("score", pa.float64()),
        pa.field("measurement", pa.float64()),
        pa.field("label", pa.string()),
        pa.field("report", pa.string()),
        pa.field("reply", pa.string()),
        pa.field("reused_from", _IDENTITY),
        _required("attempt", pa.int32()),
        pa.field("duration_seconds", pa.float64()),
        _required("receipt_digest", pa.string()),
        _required("committed_at", _MOMENT),
        _required("row_digest", pa.string()),
        _required("schema_version", pa.int32()),
    ]
)
"""One row an assessment of a trial; `evaluator`, `metric`, `observation`, `policy` are digests."""

IDENTITIES = pa.schema(
    [
        _required("digest", pa.string()),
        _required("kind", _IDENTITY),
        _required("text", pa.string()),
        _required("schema_version", pa.int32()),
    ]
)
"""What a digest in a grade stands for; `kind`: `metric`, `observation`, `policy`, `evaluator`."""


def identity_columns(schema: pa.Schema) -> tuple[str, ...]:
    """The names of the dictionary-encoded columns, in the order of the schema."""
    return tuple(field.name for field in schema if pa.types.is_dictionary(field.type))


def given_columns(schema: pa.Schema) -> tuple[str, ...]:
    """The names of the columns that a row brings itself, in the order of the schema."""
    return tuple(name for name in schema.names if name not in STAMPED)
