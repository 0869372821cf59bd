"""Checks of answers as text, without a model."""

from assay.evaluators.text.contains import contains
from assay.evaluators.text.equals_expected import equals_expected

__all__ = ["contains", "equals_expected"]
