"""What one evaluator says of one sample."""

from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, Number, digest, is_blank, number_text, write
from assay.evaluators.decision import Decision, Verdict
from assay.evaluators.errors import AssayError, InvalidMetric, InvalidReport
from assay.evaluators.evidence import Evidence, evidence_from_wire
from assay.evaluators.finding import GRAVE, LONGEST_NAME, Finding
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import Metadata, OpenMap
from assay.evaluators.record import (
    Items,
    Record,
    read_items,
    read_number,
    read_text,
    require_bytes,
    require_text,
)
from assay.evaluators.score import OptionalScore

DEEPEST = 64
"""How many levels of details a report may have, itself counted."""

_MOST_FINDINGS = 256
_MOST_EVIDENCE = 1024
_MEMBERS = (
    "metric",
    "decision",
    "score",
    "measurement",
    "label",
    "feedback",
    "metadata",
    "details",
    "findings",
    "evidence",
)


class Report(Record):
    """A metric and at least one outcome: a decision, score, measurement, label, words or details.

    The outcomes are independent: a score says nothing about the verdict. Details are evidence;
    they never add samples to a statistic, but their metrics are part of the observation.

    Attributes:
        metric: What was calculated.
        decision: The judgement, or None.
        score: A grade in [0, 1], or None.
        measurement: A finite raw number in the metric's unit, or None.
        label: A category, at most 256 bytes, or None.
        feedback: Words for people; blank words alone are no outcome.
        metadata: Anything else worth keeping; alone it is no outcome.
        details: Reports that this one rests on, at most 64 levels deep.
        findings: What was noticed, codes unique; none high or critical when the decision passes.
        evidence: What the findings refer to, ids unique.

    Raises:
        InvalidReport: when a rule is broken; a nested refusal stands in the cause.
    """

    category: ClassVar[type[AssayError]] = InvalidReport
    field_categories: ClassVar[dict[str, type[AssayError]]] = {"metric": InvalidMetric}

    metric: Metric
    decision: Decision | None = None
    score: OptionalScore = None
    measurement: float | None = None
    label: str | None = None
    feedback: str = ""
    metadata: Metadata = OpenMap()
    details: "Items[Report]" = ()
    findings: Items[Finding] = ()
    evidence: Items[Evidence] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.depth > DEEPEST:
            raise self.refuse(f"report: expected at most {DEEPEST} levels of details")
        require_text(self.feedback, "report.feedback", InvalidReport, empty=True, trimmed=False)
        if self.label is not None:
            require_text(self.label, "report.label", InvalidReport, empty=True, trimmed=False)
            require_bytes(self.label, "report.label", InvalidReport, LONGEST_NAME)
        if not self._has_outcome():
            raise self.refuse("report: expected an outcome besides the metric, got none")
        self._check_findings()
        return self

    def _has_outcome(self) -> bool:
        present = (self.decision, self.score, self.measurement, self.label)
        return any(one is not None for one in present) or bool(
            self.details or not is_blank(self.feedback)
        )

    def _check_findings(self) -> None:
        if len(self.findings) > _MOST_FINDINGS or len(self.evidence) > _MOST_EVIDENCE:
            raise self.refuse(
                f"report: expected at most {_MOST_FINDINGS} findings and {_MOST_EVIDENCE} evidence"
            )
        codes = [finding.code for finding in self.findings]
        if len(set(codes)) != len(codes):
            raise self.refuse("report.findings: expected each code once")
        known = {one.id for one in self.evidence}
        if len(known) != len(self.evidence):
            raise self.refuse("report.evidence: expected each id once")
        for finding in self.findings:
            for reference in finding.references:
                if reference.evidence_id is not None and reference.evidence_id not in known:
                    raise self.refuse("report.findings: expected references to evidence it carries")
            if self.verdict == "pass" and finding.severity in GRAVE:
                raise self.refuse("report: expected no high or critical finding beside a pass")

    @property
    def verdict(self) -> Verdict:
        """The decision's verdict, or empty where nothing was decided."""
        return self.decision.verdict if self.decision else ""

    @cached_property
    def depth(self) -> int:
        """Levels of details, itself counted: a report without details is 1 deep."""
        return 1 + max((detail.depth for detail in self.details), default=0)

    @cached_property
    def observation(self) -> str:
        """The identity under which observations are pooled: the metric and the tree of details."""
        return write(_observation_tree(self))

    @cached_property
    def observation_digest(self) -> str:
        """The digest of the observation identity."""
        return digest(self.observation)

    @cached_property
    def rule(self) -> str | None:
        """The identity of the decision's rule with the rules of all details, or None.

        The report's own metric is not part of it, because pairing has fixed it already.
        """
        if self.decision is None:
            return None
        return write({**self.decision.rule(), **_rules_of_details(self)})

    @cached_property
    def rule_digest(self) -> str | None:
        """The digest of the rule, or None where nothing was decided."""
        return None if self.rule is None else digest(self.rule)

    @override
    def wire(self) -> Json:
        """The JSON form; optional members are left out when absent, a zero is written."""
        tree: dict[str, Json] = {"metric": self.metric.wire()}
        if self.decision is not None:
            tree["decision"] = self.decision.wire()
        for member, number in (("score", self.score), ("measurement", self.measurement)):
            if number is not None:
                tree[member] = Number(number_text(number))
        if self.label is not None:
            tree["label"] = self.label
        if self.feedback:
            tree["feedback"] = self.feedback
        if self.metadata:
            tree["metadata"] = self.metadata.wire()
        tree.update(self._wire_items())
        return tree

    def _wire_items(self) -> dict[str, Json]:
        lists: dict[str, list[Json]] = {
            "details": [detail.wire() for detail in self.details],
            "findings": [finding.wire() for finding in self.findings],
            "evidence": [one.wire() for one in self.evidence],
        }
        return {member: items for member, items in lists.items() if items}

    @cached_property
    def encoded(self) -> str:
        """The canonical JSON text."""
        return write(self.wire())

    def encode(self) -> str:
        """The canonical JSON text; `Report.decode` reads it back to an equal report."""
        return self.encoded

    @classmethod
    def from_wire(cls, tree: Json) -> Self:
        """The report that a parsed wire object spells; raises InvalidReport."""
        return cls._read(tree, 1)

    @classmethod
    def _read(cls, tree: Json, level: int) -> Self:
        if level > DEEPEST:
            raise cls.refuse(f"report: expected at most {DEEPEST} levels of details")
        members = cls.members(tree, _MEMBERS, "report")

        def items(member: str) -> list[Json]:
            return read_items(members.get(member), f"report.{member}", InvalidReport)

        given: dict[str, object] = {
            "metric": _read_metric(members.get("metric")),
            "feedback": read_text(members.get("feedback"), "report.feedback", InvalidReport),
            "metadata": _read_metadata(members.get("metadata")),
            "details": tuple(cls._read(one, level + 1) for one in items("details")),
            "findings": tuple(Finding.from_wire(one) for one in items("findings")),
            "evidence": tuple(evidence_from_wire(one) for one in items("evidence")),
        }
        for member in ("score", "measurement"):
            if member in members:
                given[member] = read_number(members[member], f"report.{member}", InvalidReport)
        if "decision" in members:
            given["decision"] = Decision.from_wire(members["decision"])
        if "label" in members:
            given["label"] = read_text(members["label"], "report.label", InvalidReport)
        return cls.model_validate(given)

    @classmethod
    def decode(cls, text: str | bytes) -> Self:
        """The report that a JSON text spells; raises InvalidReport."""
        return cls.from_wire(cls.tree_of(text))


def _observation_tree(report: Report) -> Json:
    tree: dict[str, Json] = {"metric": report.metric.wire()}
    if report.details:
        tree["details"] = [_observation_tree(detail) for detail in report.details]
    return tree


def _rules_of_details(report: Report) -> dict[str, Json]:
    if not report.details:
        return {}
    return {"details": [_rule_tree(detail) for detail in report.details]}


def _rule_tree(report: Report) -> Json:
    rule = {} if report.decision is None else report.decision.rule()
    return {"metric": report.metric.wire(), **rule, **_rules_of_details(report)}


def _read_metric(tree: Json) -> Metric:
    try:
        return Metric.from_wire(tree)
    except AssayError as error:
        msg = f"report: {error}"
        raise InvalidReport(msg) from error


def _read_metadata(tree: Json) -> OpenMap:
    try:
        return OpenMap.from_wire(tree)
    except AssayError as error:
        msg = f"report.metadata: {error}"
        raise InvalidReport(msg) from error
