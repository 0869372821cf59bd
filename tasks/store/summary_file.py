"""The derived summary of a grading: a table that says of which rows it was made."""

import json
from dataclasses import dataclass
from io import BytesIO

import polars as pl

from assay.evaluators.errors import describe
from assay.tasks.store.seal import Seal
from assay.tasks.store.store_error import StoreError

_KEY = "assay.summarised"


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """A summary as it lies in the store.

    Attributes:
        table: The numbers.
        executions: The seal of the executions that it was made of; None where it does not say.
        grades: The seal of the grades that it was made of; None where it does not say.
    """

    table: pl.DataFrame
    executions: Seal | None = None
    grades: Seal | None = None

    def encode(self) -> bytes:
        """The Parquet file."""
        seals = {"executions": self.executions, "grades": self.grades}
        made_of = {name: seal.wire() for name, seal in seals.items() if seal is not None}
        sink = BytesIO()
        self.table.write_parquet(
            sink, compression="zstd", compression_level=1, metadata={_KEY: json.dumps(made_of)}
        )
        return sink.getvalue()

    @classmethod
    def decode(cls, content: bytes, *, place: str) -> "StoredSummary":
        """The summary in a file.

        Raises:
            StoreError: the file is damaged; it can be removed, and is made again.
        """
        try:
            table = pl.read_parquet(BytesIO(content))
            made_of = json.loads(pl.read_parquet_metadata(BytesIO(content)).get(_KEY, "{}"))
        except (pl.exceptions.PolarsError, OSError, ValueError) as error:
            message = (
                f"{place}: expected a summary, found a damaged file ({describe(error)[:200]}); "
                "remove it, it will be made again"
            )
            raise StoreError(message) from error
        seals = [Seal.from_wire(made_of.get(name)) for name in ("executions", "grades")]
        return cls(table, *seals)
