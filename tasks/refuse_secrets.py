"""Keeps secrets out of suites, which every store keeps as they are written."""

from collections.abc import Iterable

from assay.evaluators.assessment import Assessment
from assay.evaluators.errors import InputError
from assay.tasks.mask_secrets import Secrets


def refuse_secrets(assessments: Iterable[Assessment], secrets: Secrets, *, place: str) -> None:
    """Refuse an assessment whose id, settings or description hold a secret.

    Masking would not do: the suite could not be read again from its plan, and an evaluator that
    looks for a secret would look through outputs in which it is masked.

    Raises:
        InputError: naming the assessment.
    """
    for one in assessments:
        descriptor = one.evaluator.descriptor
        texts = (one.id, one.entry, descriptor.identity_text, descriptor.description)
        if any(secrets.mask(text) != text for text in texts):
            message = (
                f"assessment {secrets.mask(one.id)[:80]!r}: expected an id and settings without a "
                "secret, because the store keeps them; let the evaluator read it from the "
                "environment"
            )
            raise InputError(message, place=place, kind="suite")
