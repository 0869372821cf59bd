"""The answer of one evaluator without what it says in words."""

from assay.evaluators.report import Report
from assay.tasks.redacted_sample import RedactedAnswer, RedactedFinding, RedactedMetric


def redact_answer(report: Report, *, metric: str, rule: str | None) -> RedactedAnswer:
    """The answer of an evaluator without words: no feedback, metadata, messages or excerpts.

    Args:
        report: What the evaluator said.
        metric: The digest of its metric.
        rule: The digest of the rule that decided, or None.

    Raises:
        InvalidReport: a name is longer than a redacted report takes.
    """
    findings = [
        RedactedFinding(code=one.code, severity=one.severity, references=one.references)
        for one in report.findings
    ]
    return RedactedAnswer(
        metric=RedactedMetric(
            namespace=report.metric.namespace,
            name=report.metric.name,
            unit=report.metric.unit,
            direction=report.metric.direction,
            digest=metric,
        ),
        policy=None if report.decision is None else report.decision.policy,
        rule=rule,
        verdict=report.verdict,
        score=None if report.score is None else float(report.score),
        measurement=report.measurement,
        label=report.label,
        findings=tuple(sorted(findings, key=lambda one: one.code)),
        evidence=tuple(
            one.model_copy(update=_unsaid(one)) for one in sorted(report.evidence, key=_id)
        ),
        details=tuple(
            redact_answer(one, metric=one.metric.digest, rule=one.rule_digest)
            for one in report.details
        ),
    )


def _id(evidence: object) -> str:
    return str(getattr(evidence, "id", ""))


def _unsaid(evidence: object) -> dict[str, str]:
    return {said: "" for said in ("redacted", "message") if hasattr(evidence, said)}
