"""The pinned columns: a change here changes what old files mean."""

import pyarrow as pa
import pytest

from assay.evaluators.schema import (
    CASES,
    EXECUTIONS,
    GRADES,
    IDENTITIES,
    SCHEMA_VERSION,
    STAMPED,
    given_columns,
    identity_columns,
)

_ALL = [CASES, EXECUTIONS, GRADES, IDENTITIES]
_PAYLOADS = {
    *("input", "expected", "metadata", "suite", "output", "messages", "tool_calls", "usage"),
    *("spans", "waits", "report", "reply", "error", "text", "label", "reason"),
}


def test_the_columns_of_version_1_are_these() -> None:
    """Files of this version exist: under it no column may come, go, move or change its type."""
    described = {
        name: ",".join(f"{field.name}:{field.type}{'' if field.nullable else '!'}" for field in one)
        .replace("dictionary<values=string, indices=int32, ordered=0>", "id")
        .replace("timestamp[us, tz=UTC]", "moment")
        for name, one in (("cases", CASES), ("grades", GRADES), ("identities", IDENTITIES))
    }
    assert SCHEMA_VERSION == 1
    assert described == {
        "cases": (
            "case_id:id!,input:string!,expected:string,metadata:string!,suite:string,"
            "case_digest:string!,input_digest:string!,position:int32!,schema_version:int32!"
        ),
        "grades": (
            "case_id:id!,repeat:int32!,assessment_id:id!,key:string!,status:id!,error_class:id,"
            "error:string,evaluator:id!,metric:id,observation:id,policy:id,verdict:id!,"
            "score:double,measurement:double,label:string,report:string,reply:string,"
            "reused_from:id,attempt:int32!,duration_seconds:double,receipt_digest:string!,"
            "committed_at:moment!,row_digest:string!,schema_version:int32!"
        ),
        "identities": "digest:string!,kind:id!,text:string!,schema_version:int32!",
    }
    assert [f"{field.name}:{field.nullable}" for field in EXECUTIONS if field.nullable] == [
        f"{name}:True"
        for name in (
            *("error_class", "error", "output", "messages", "tool_calls", "usage", "cost"),
            *("spans", "metadata", "started_at", "duration_seconds", "waits", "receipt_digest"),
        )
    ]


@pytest.mark.parametrize("schema", _ALL)
def test_payloads_are_plain_text(schema: pa.Schema) -> None:
    """Fault B30: a nested Arrow type would depend on what a model happened to write."""
    for field in schema:
        assert not pa.types.is_nested(field.type)
        if field.name in _PAYLOADS:
            assert field.type == pa.string()


@pytest.mark.parametrize("schema", _ALL)
def test_every_row_has_its_version(schema: pa.Schema) -> None:
    """Rows of several versions may stand in one merged file."""
    assert schema.field("schema_version").type == pa.int32()


def test_what_repeats_is_dictionary_encoded() -> None:
    """Grouping a million grades by text costs twice as much."""
    expected = ("case_id", "assessment_id", "status", "error_class", "evaluator", "metric")
    assert identity_columns(GRADES)[:6] == expected
    assert not set(identity_columns(GRADES)) & {"key", "row_digest", "receipt_digest", "label"}


def test_a_row_brings_every_column_but_the_stamped_ones() -> None:
    """In the order of the schema, so that a table can be built by position."""
    for schema in (EXECUTIONS, GRADES):
        assert given_columns(schema) == tuple(schema.names[:-3])
        assert tuple(schema.names[-3:]) == STAMPED
