"""A digest over the rows of many parts, whichever file each is in and in whatever order."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

import polars as pl
import pyarrow as pa

from assay.tasks.store.frame import frame_of
from assay.tasks.store.parts import Parts

_COLUMNS = ("row_digest", "committed_at")
_WORDS = tuple(f"word_{number}" for number in range(4))


@dataclass(frozen=True, slots=True)
class Seal:
    """What a set of rows was at a moment.

    Attributes:
        rows: How many; copies of one row are one.
        digest: `sha256:` and the SHA-256 of the text `rows:a:b:c:d`, where the last four are the
            sums, modulo 2**64, of the first to fourth 64-bit word of the rows' digests.
        until: When the last of the rows was committed; None if there is none.
    """

    rows: int
    digest: str
    until: datetime | None

    def wire(self) -> dict[str, object]:
        """The JSON form."""
        until = None if self.until is None else self.until.isoformat()
        return {"rows": self.rows, "digest": self.digest, "until": until}

    @classmethod
    def from_wire(cls, members: object) -> "Seal | None":
        """The seal that a JSON object spells, or None if it spells none."""
        match members:
            case {"rows": int(rows), "digest": str(digest), "until": str(until)}:
                try:
                    return cls(rows, digest, datetime.fromisoformat(until))
                except ValueError:
                    return None
            case {"rows": int(rows), "digest": str(digest), "until": None}:
                return cls(rows, digest, None)
            case _:
                return None


def seal_rows(parts: Parts, *, until: datetime | None = None) -> Seal:
    """The seal of the rows of all parts.

    Args:
        parts: Where the rows are.
        until: Leave out rows that were committed later.

    Raises:
        StoreError: a part cannot be read.
    """
    return seal_tables(parts.tables(_COLUMNS).values(), until=until)


def seal_tables(tables: Iterable[pa.Table], *, until: datetime | None = None) -> Seal:
    """The seal of rows at hand, of which `row_digest` and `committed_at` are needed."""
    frames = [frame_of(table.select(list(_COLUMNS))) for table in tables]
    rows = pl.concat(frames) if frames else pl.DataFrame(schema=list(_COLUMNS))
    if until is not None and rows.height:
        rows = rows.filter(pl.col("committed_at") <= until)
    words = rows.select(_word(number) for number in range(4))
    if words[_WORDS[0]].n_unique() < rows.height:  # a merge was interrupted
        rows = rows.unique("row_digest")
        words = rows.select(_word(number) for number in range(4))
    sums = (int(words[name].sum() or 0) % 2**64 for name in _WORDS)
    text = ":".join(map(str, (rows.height, *sums)))
    last = rows["committed_at"].max() if rows.height else None
    return Seal(
        rows=rows.height,
        digest=f"sha256:{sha256(text.encode()).hexdigest()}",
        until=last.astimezone(UTC) if isinstance(last, datetime) else None,
    )


def _word(number: int) -> pl.Expr:
    digits = pl.col("row_digest").cast(pl.String).str.slice(len("sha256:") + 16 * number, 16)
    # A damaged digest counts as nothing, which changes the sum.
    return digits.str.to_integer(base=16, dtype=pl.Int128, strict=False).alias(_WORDS[number])
