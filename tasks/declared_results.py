"""Which results the head of a grading declares, and by which evaluators."""

from collections.abc import Mapping
from dataclasses import dataclass

from assay.tasks.store import GradingStore


@dataclass(frozen=True, slots=True)
class DeclaredResults:
    """What a grading declares.

    Attributes:
        evaluators: By result id of the suite, the identity of its evaluator.
        outputs: By result id of the suite, the name of the evaluator's output; empty for its only
            one.
        own: By case id, the result ids that the case declares beside the suite.
        is_known: False where the head does not say.
    """

    evaluators: Mapping[str, str]
    outputs: Mapping[str, str]
    own: Mapping[str, frozenset[str]]
    is_known: bool

    @classmethod
    def read(cls, grading: GradingStore) -> "DeclaredResults":
        """What the head of a grading says.

        Raises:
            StoreError: the head cannot be read.
        """
        evaluators: dict[str, str] = {}
        outputs: dict[str, str] = {}
        for assessment in _mappings(grading.info.get("assessments")):
            identity = str(assessment.get("id"))
            evaluator = assessment.get("evaluator")
            for result in _texts(assessment.get("ids")):
                outputs[result] = result.removeprefix(identity).removeprefix(".")
                if isinstance(evaluator, dict):
                    evaluators[result] = str(evaluator.get("identity"))
        own = grading.info.get("case_assessment_ids")
        return cls(
            evaluators=evaluators,
            outputs=outputs,
            own={
                str(case_id): frozenset(_texts(ids))
                for case_id, ids in (own.items() if isinstance(own, dict) else ())
            },
            is_known="assessments" in grading.info,
        )

    def ids(self, case_id: str) -> frozenset[str]:
        """The results that a graded trial of the case has."""
        return frozenset(self.outputs) | self.own.get(case_id, frozenset())

    def possible_outputs(self, result_id: str) -> tuple[str, ...]:
        """The names that the output behind a result may have."""
        if result_id in self.outputs:
            return (self.outputs[result_id],)
        # A case's own assessment: its id may hold dots, and so may the name of an output.
        dots = [index for index, char in enumerate(result_id) if char == "."]
        return ("", *(result_id[index + 1 :] for index in dots))


def _mappings(value: object) -> list[dict[str, object]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []
