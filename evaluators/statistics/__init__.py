"""Intervals, tests and statistics of repeats: pure functions, each after its textbook name."""

from assay.evaluators.statistics.at_least_k import at_least_k
from assay.evaluators.statistics.flakiness import flakiness
from assay.evaluators.statistics.majority import majority
from assay.evaluators.statistics.pass_at_k import pass_at_k
from assay.evaluators.statistics.pass_hat_k import pass_hat_k
from assay.evaluators.statistics.repeats import Repeats
from assay.evaluators.statistics.undefined import Undefined
from assay.evaluators.statistics.wilson import wilson_interval

__all__ = [
    "Repeats",
    "Undefined",
    "at_least_k",
    "flakiness",
    "majority",
    "pass_at_k",
    "pass_hat_k",
    "wilson_interval",
]
