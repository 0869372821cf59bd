"""The names by which recorded facts belong together."""

from typing import Annotated

from pydantic import Field

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:\-]{1,256}$")]
"""The id of a process or an effect, or a child key."""

IncarnationId = Annotated[str, Field(pattern=r"^incarnation:[0-9a-f]{32}$")]
"""One activation of a process tree; a restore starts a new one."""

AttemptId = Annotated[str, Field(pattern=r"^attempt:[0-9a-f]{32}$")]
"""One physical try of an effect; a replay adds attempts and keeps the effect."""

FailureCode = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$")]
"""A lower-case dotted name."""

Sequence = Annotated[int, Field(ge=1)]
"""A place in an order that begins with 1."""

UINT64_MAX = 2**64 - 1
INT64_MAX = 2**63 - 1

Counter = Annotated[int, Field(ge=0, le=UINT64_MAX)]
"""An unsigned 64-bit count."""
