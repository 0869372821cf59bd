"""Arrow tables as polars frames."""

import polars as pl
import pyarrow as pa


def frame_of(table: pa.Table) -> pl.DataFrame:
    """The table as a frame; dictionary-encoded columns become categoricals."""
    frame = pl.from_arrow(table)
    if isinstance(frame, pl.Series):  # only an array becomes a series
        return frame.to_frame()
    return frame
