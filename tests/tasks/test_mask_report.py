"""What evaluators say, without secrets."""

import pytest

from assay.evaluators.errors import InvalidReport
from assay.evaluators.evidence import MessageIndex
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.tasks.mask_report import mask_report
from assay.tasks.mask_secrets import Secrets

SECRETS = Secrets(["canary-7261"])


def test_every_text_of_a_report_is_masked() -> None:
    """A judge quotes what it was shown, and whatever it knows besides."""
    said = "it is canary-7261"
    report = Report(
        metric=Metric(name="judge", parameters=OpenMap.of({"of": said})),
        label=said,
        feedback=said,
        metadata=OpenMap.of({said: [said]}),
        findings=(Finding(code="leak", severity="low", message=said),),
        details=(Report(metric=Metric(name="inner"), label=said),),
    )
    masked = mask_report(report, SECRETS)
    assert "canary" not in masked.encode()
    assert masked.label == masked.feedback == "it is [masked]"
    assert masked.metric.digest != report.metric.digest


def test_a_report_without_secrets_is_itself() -> None:
    """Nothing is made twice."""
    report = Report(metric=Metric(name="judge"), label="fine")
    assert mask_report(report, SECRETS) is report


def test_a_report_that_is_none_without_its_secrets_is_refused() -> None:
    """Two pieces of evidence under one id: there is no telling which is meant."""
    both = Secrets(["canary-7261", "canary-9914"])
    report = Report(
        metric=Metric(name="judge"),
        label="x",
        findings=(
            Finding(
                code="a",
                severity="low",
                references=(EvidenceRef(evidence_id="canary-7261"),),
            ),
        ),
        evidence=(
            MessageIndex(id="canary-7261", index=0),
            MessageIndex(id="canary-9914", index=1),
        ),
    )
    with pytest.raises(InvalidReport, match="without the secrets"):
        mask_report(report, both)
