"""What ends a command without results: the sentence for people, the error for machines."""

from dataclasses import dataclass

from assay.evaluators.errors import AssayError, InputError

WRONG_USE = 2
INTERRUPTED = 4


class Interrupted(Exception):
    """The user stopped the command; the message says what is kept and how to go on."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there are no results.

    Attributes:
        kind: One word that machines can rely on.
        message: One sentence: place, what was expected, what came, what to do.
        place: The file, line, flag or id that the message is about; empty where there is none.
        exit_code: 2 for wrong use, wrong input and a store that fails; 4 for an interruption.
    """

    kind: str
    message: str
    place: str = ""
    exit_code: int = WRONG_USE

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        error = {"kind": self.kind, "message": self.message, "place": self.place}
        return {"error": error, "exit_code": self.exit_code}


def failure_of(error: BaseException) -> Failure | None:
    """What an error means for the user; None for a bug of Assay, which stays a traceback."""
    match error:
        case InputError():
            return Failure(error.kind, str(error), error.place)
        case AssayError():
            return Failure(_word(error), str(error))
        case Interrupted():
            return Failure("interrupted", str(error), exit_code=INTERRUPTED)
        case KeyboardInterrupt():
            return Failure("interrupted", "interrupted", exit_code=INTERRUPTED)
        case _:
            return None


def _word(error: AssayError) -> str:
    return type(error).__name__.removesuffix("Error").lower()
