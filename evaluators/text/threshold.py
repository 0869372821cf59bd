"""The setting that lets a text score decide."""

from typing import Annotated

from pydantic import Field

Threshold = Annotated[float | None, Field(ge=0, le=1)]
"""The least score that passes; None decides nothing."""
