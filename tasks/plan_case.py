"""A case of a dataset as a run keeps it: JSON texts without secrets, and its own assessments."""

from collections.abc import Iterable

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import decode, decode_stored, digest, write
from assay.evaluators.case import Case
from assay.evaluators.errors import AssayError, InputError
from assay.evaluators.open_map import OpenMap
from assay.evaluators.retained import CaseTexts
from assay.tasks.mask_secrets import Secrets
from assay.tasks.planned_case import PlannedCase


def plan_case(
    case: Case, assessments: tuple[Assessment, ...], secrets: Secrets, *, place: str
) -> PlannedCase:
    """The case as a run keeps it; the target alone gets what is masked in it.

    Args:
        case: As its dataset has it.
        assessments: Its own ones.
        secrets: Masked in input, expected value and metadata, since all of it is stored.
        place: The dataset, for errors.

    Raises:
        InputError: for an object of a Python program that JSON cannot hold, and for an id that
            holds a secret, since an id is shown everywhere.
    """
    where = f"{place}, case {secrets.mask(case.id)[:80]!r}"
    if secrets.mask(case.id) != case.id:
        raise InputError("expected an id without a secret in it", place=where, kind="dataset")
    try:
        masked = _masked(case, secrets)
        return PlannedCase(
            texts=_texts(masked),
            digest=masked.digest,
            input_digest=masked.input_digest,
            suite=write([_entry(one) for one in assessments]) if assessments else None,
            assessments=assessments,
            given=None if masked.input_text == case.input_text else case.input_text,
        )
    except AssayError as error:
        raise InputError(str(error), place=where, kind="dataset") from error


def fixture_of(cases: Iterable[PlannedCase]) -> str:
    """The identity of a selection of cases: the digest of their contents in order."""
    return digest("\n".join(case.digest for case in cases))


def _texts(case: Case) -> CaseTexts:
    return CaseTexts(case.id, case.input_text, case.expected_text, case.metadata.text())


def _masked(case: Case, secrets: Secrets) -> Case:
    texts = _texts(case)
    given, metadata = secrets.mask_json(texts.input), secrets.mask_json(texts.metadata)
    expected = None if texts.expected is None else secrets.mask_json(texts.expected)
    if (given, expected, metadata) == (texts.input, texts.expected, texts.metadata):
        return case
    return Case(
        id=case.id,
        input=decode_stored(given),
        expected=None if expected is None else decode_stored(expected),
        metadata=OpenMap.from_text(metadata),
    )


def _entry(assessment: Assessment) -> object:
    """The entry as it was written; one that was made in Python leaves its id alone."""
    return decode(assessment.entry) if assessment.entry else {"id": assessment.id}
