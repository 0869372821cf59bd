"""Checks of the structure of answers: JSON, schemas, types."""

from assay.evaluators.structure.decodes_as import decodes_as
from assay.evaluators.structure.fences import unfenced
from assay.evaluators.structure.is_type import is_type
from assay.evaluators.structure.json_schema import json_schema
from assay.evaluators.structure.schema_result import schema_result

__all__ = ["decodes_as", "is_type", "json_schema", "schema_result", "unfenced"]
