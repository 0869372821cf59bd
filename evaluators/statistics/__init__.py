"""Intervals and tests: pure functions of counts and numbers, each after its textbook name."""

from assay.evaluators.statistics.wilson import wilson_interval

__all__ = ["wilson_interval"]
