"""What ends a command without results: the sentence for people, the error for machines."""

from dataclasses import dataclass

from assay.evaluators.errors import AssayError, InputError, describe

WRONG_USE = 2
INTERRUPTED = 4
DEFECT = 70
"""A bug of Assay; none of the codes by which scripts tell how a run went."""

_NOTHING_KEPT = "interrupted before there was anything to keep; give the same command again"


class Interrupted(Exception):
    """The user stopped the command; the message says what is kept and how to go on."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there are no results.

    Attributes:
        kind: One word that machines can rely on.
        message: One sentence: place, what was expected, what came, what to do.
        place: The file, line, flag or id that the message is about; empty where there is none.
        exit_code: 2 for wrong use, wrong input and a store that fails; 4 for an interruption; 70
            for a bug.
    """

    kind: str
    message: str
    place: str = ""
    exit_code: int = WRONG_USE

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        error = {"kind": self.kind, "message": self.message, "place": self.place}
        return {"error": error, "exit_code": self.exit_code}


def failure_of(error: BaseException) -> Failure:
    """What an error means for the user; anything that is not raised on purpose is a bug."""
    match error:
        case InputError():
            return Failure(error.kind, str(error), error.place)
        case AssayError():
            return Failure(_word(error), str(error))
        case Interrupted():
            return Failure("interrupted", str(error), exit_code=INTERRUPTED)
        case KeyboardInterrupt():
            return Failure("interrupted", _NOTHING_KEPT, exit_code=INTERRUPTED)
        case _:
            msg = f"this is a bug of Assay, please report it: {describe(error)}"
            return Failure("internal", msg, exit_code=DEFECT)


def _word(error: AssayError) -> str:
    return type(error).__name__.removesuffix("Error").lower()
