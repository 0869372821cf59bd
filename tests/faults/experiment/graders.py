"""Graders of every kind of result; one of them is a witness to durable receipts."""

from bot import note

from assay import evaluator
from assay.evaluators.errors import EvaluatorError
from assay.evaluators.sample import Sample

UNGRADED = "q05"


@evaluator(name="witness", revision="1")
def witness(sample: Sample) -> float:
    """A score; that it is asked at all means that the receipt was acknowledged."""
    note("acknowledged", sample.case_id, sample.repeat)
    return len(str(sample.output)) / 4


@evaluator(name="parity", revision="1")
def parity(sample: Sample) -> str:
    """A label; for one case it cannot be had."""
    if sample.input == UNGRADED:
        raise EvaluatorError("refused", "no label for this one")
    return "even" if int(str(sample.input)[1:]) % 2 == 0 else "odd"


@evaluator(name="short", revision="1")
def short(sample: Sample) -> bool:
    """A decision that only a later suite asks for."""
    note("regraded", sample.case_id, sample.repeat)
    return len(str(sample.output)) <= 3
