"""The frozen receipt: JSON texts without secrets, which grading and grading again see alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC

from assay.evaluators.canonical import digest, encode, spell
from assay.evaluators.errors import NotJson
from assay.evaluators.execution import Execution
from assay.evaluators.retained import CaseTexts, ExecutionTexts
from assay.evaluators.sample import RetainedSample
from assay.tasks.mask_secrets import Secrets


@dataclass(frozen=True, slots=True)
class FrozenReceipt:
    """A receipt as the store keeps it.

    Attributes:
        texts: Its members, named as the columns of an execution row.
        digest: Of all members but the times.
    """

    texts: ExecutionTexts
    digest: str

    @property
    def output_present(self) -> bool:
        """True if there is a candidate, null and the empty string included."""
        return self.texts.output is not None

    def sample(self, case_texts: CaseTexts, repeat: int = 0) -> RetainedSample:
        """What evaluators look at, now and whenever the receipt is graded again."""
        return RetainedSample(case_texts, self.texts, repeat)


def freeze(execution: Execution, secrets: Secrets) -> FrozenReceipt:
    """The receipt as JSON values alone, secrets masked.

    Models and dataclasses become mappings, tuples lists.

    Raises:
        NotJson: naming the place in the receipt, for what JSON cannot hold: bytes, sets, NaN, lone
            surrogates, keys that are not text, values that hold themselves.
        InvalidExecution: when the receipt contradicts itself.
    """
    started = execution.started_at
    texts = ExecutionTexts(
        status=execution.status,
        output=_text("output", execution.output, secrets) if execution.has_output else None,
        reason=secrets.mask(execution.reason),
        messages=_optional("messages", execution.messages, secrets),
        tool_calls=_optional("tool_calls", execution.tool_calls, secrets),
        usage=_optional("usage", execution.usage, secrets),
        cost=execution.cost,
        spans=_optional("spans", execution.spans, secrets),
        metadata=_optional("metadata", execution.metadata.wire() or None, secrets),
        started_at=started.astimezone(UTC) if started is not None else None,
        duration_seconds=execution.duration_seconds,
    )
    texts.receipt()  # what cannot be read again must not be kept
    return FrozenReceipt(texts, receipt_digest(texts))


def receipt_digest(texts: ExecutionTexts) -> str:
    """The digest of a receipt's content: everything but when it was made and how long it took."""
    members: Mapping[str, str | None] = {
        "cost": None if texts.cost is None else encode(texts.cost),
        "messages": texts.messages,
        "metadata": texts.metadata,
        "output": texts.output,
        "output_present": encode(texts.output is not None),
        "reason": encode(texts.reason),
        "spans": texts.spans,
        "status": encode(texts.status),
        "tool_calls": texts.tool_calls,
        "usage": texts.usage,
    }
    written = (f'"{name}":{text}' for name, text in members.items() if text is not None)
    return digest("{" + ",".join(written) + "}")


def _optional(name: str, value: object, secrets: Secrets) -> str | None:
    return None if value is None else _text(name, value, secrets)


def _text(name: str, value: object, secrets: Secrets) -> str:
    try:
        return secrets.mask_json(spell(value))
    except NotJson as error:
        msg = f"{name}: {error}"
        raise NotJson(msg) from error
    except RecursionError:
        msg = f"{name}: expected fewer nested levels, and no value that holds itself"
        raise NotJson(msg) from None
