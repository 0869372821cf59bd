"""A claim to be the one writer of a folder: a numbered file that only its holder rewrites.

The highest number holds. A claim is made by creating the next number, which only one of several
contenders can do on any store, so nothing but exclusive creation is asked of it.
"""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from pydantic import TypeAdapter, ValidationError
from typing_extensions import override

from assay.tasks.store.folder import Folder
from assay.tasks.store.holder import Holder, this_process
from assay.tasks.store.json_file import encode_record
from assay.tasks.store.store_error import StoreError
from assay.tasks.store.uuid7 import uuid7


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a claim's file says.

    Attributes:
        purpose: What the folder is written for, one word.
        holder: The process.
        token: Known to those alone who write together.
        since: When it was claimed, by the holder's clock.
        beat: Grows while the holder lives.
        beat_at: When it last grew, by the holder's clock.
        released: The holder has ended its work.
    """

    purpose: str
    holder: Holder = field(default_factory=this_process)
    token: str = field(default_factory=uuid7)
    since: datetime = field(default_factory=_now)
    beat: int = 0
    beat_at: datetime = field(default_factory=_now)
    released: bool = False

    def beaten(self) -> "Claim":
        """The claim with another sign of life."""
        return replace(self, beat=self.beat + 1, beat_at=_now())

    def ended(self) -> "Claim":
        """The claim as its holder leaves it."""
        return replace(self.beaten(), released=True)

    def silence_seconds(self) -> float:
        """How far the last sign of life lies from now, before or after, if all clocks agree."""
        return abs((_now() - self.beat_at).total_seconds())

    def is_over(self) -> bool:
        """True if nobody holds it, beyond doubt."""
        return self.released or self.holder.is_gone()

    @override
    def __str__(self) -> str:
        holder = self.holder
        return (
            f"process {holder.pid} on {holder.host[:80]} ({self.purpose[:20]}, since "
            f"{self.since:%Y-%m-%d %H:%M:%S} UTC)"
        )


_ADAPTER = TypeAdapter(Claim)


class Claims:
    """The claims to one folder.

    Args:
        folder: Where their files lie.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def newest(self) -> tuple[int, Claim | None]:
        """The highest claim and its number; 0 and None where there never was one.

        Raises:
            StoreError: it cannot be read.
        """
        number = max(map(_number, self._folder.names()), default=0)
        claim = self._read(number) if number else None
        # A listing may lag, and claims are never removed: the next number tells.
        while (later := self._read(number + 1)) is not None:
            number, claim = number + 1, later
        return number, claim

    def is_newest(self, number: int) -> bool:
        """True if no later claim has been made."""
        return not self._folder.exists(_name(number + 1))

    def make(self, number: int, claim: Claim) -> bool:
        """Make a claim; False if somebody else was quicker."""
        try:
            self._folder.add(_name(number), _encoded(claim))
        except FileExistsError:
            return False
        return True

    def rewrite(self, number: int, claim: Claim) -> None:
        """Let the file of one's own claim say something else."""
        self._folder.replace(_name(number), _encoded(claim))

    def _read(self, number: int) -> Claim | None:
        name = _name(number)
        try:
            return _ADAPTER.validate_json(self._folder.read(name))
        except FileNotFoundError:
            return None
        except ValidationError as error:
            message = (
                f"{self._folder.place}/{name}: expected the claim of a writer, found a damaged "
                "file; remove it if nobody writes here"
            )
            raise StoreError(message) from error


def _name(number: int) -> str:
    return f"{number:06d}.json"


def _number(name: str) -> int:
    stem, _, ending = name.partition(".")
    return int(stem) if ending == "json" and stem.isdecimal() and stem.isascii() else 0


def _encoded(claim: Claim) -> bytes:
    record: dict[str, object] = _ADAPTER.dump_python(claim, mode="json")
    return encode_record(record)
