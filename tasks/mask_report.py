"""A report as it may be stored: without a secret in any of its texts."""

from assay.evaluators.errors import AssayError, InvalidReport
from assay.evaluators.report import Report
from assay.tasks.mask_secrets import Secrets


def mask_report(report: Report, secrets: Secrets) -> Report:
    """The report with secrets masked in feedback, label, findings, evidence and all else.

    Raises:
        InvalidReport: when it is no report without them, such as one whose references are secrets.
    """
    masked = secrets.mask_json(report.encoded)
    if masked == report.encoded:
        return report
    try:
        return Report.decode(masked)
    except AssayError as error:
        # The cause may name what is wrong by its text.
        message = "expected a report that is one without the secrets that it holds"
        raise InvalidReport(message) from error
