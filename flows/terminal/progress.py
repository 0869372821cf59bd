"""How far a run is: a bar on a terminal, a line now and then elsewhere."""

import time
from types import TracebackType
from typing import Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from assay.flows.terminal.console import notes
from assay.tasks.trial_session import TrialNote

_LINE_EVERY_SECONDS = 10.0


class RunProgress:
    """Counts trials as they end; use it as a context and hand `note` to the run.

    Args:
        total: Trials that are left to do.
        quiet: Show nothing.
    """

    def __init__(self, total: int, *, quiet: bool = False) -> None:
        self.ended = 0
        self.failed = 0
        self._total = total
        self._console = notes()
        self._started = time.monotonic()
        self._last_line = self._started
        self._bar: Progress | None = None
        self._quiet = quiet
        if self._console.is_terminal and not quiet:
            self._bar = Progress(
                TextColumn("trials"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                TextColumn("{task.fields[failed]}"),
                console=self._console,
                transient=True,
            )
            self._row = self._bar.add_task("trials", total=total, rate="", failed="")

    def __enter__(self) -> Self:
        """Start drawing."""
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave the terminal as it was."""
        if self._bar is not None:
            self._bar.stop()

    def note(self, note: TrialNote) -> None:
        """Count one more trial that has ended."""
        self.ended += 1
        self.failed += not note.executed
        if self._bar is not None:
            self._bar.update(
                self._row, advance=1, rate=self._rate(), failed=self._failures()
            )
        elif not self._quiet and time.monotonic() - self._last_line >= _LINE_EVERY_SECONDS:
            self._last_line = time.monotonic()
            self._console.print(
                f"{self.ended} of {self._total} trials, {self._rate()}{self._left()}"
                f"{self._failures(', ')}"
            )

    def _rate(self) -> str:
        return f"{self._per_second():.1f}/s"

    def _per_second(self) -> float:
        return self.ended / max(time.monotonic() - self._started, 1e-3)

    def _left(self) -> str:
        seconds = (self._total - self.ended) / max(self._per_second(), 1e-3)
        return f", about {seconds:.0f} s left"

    def _failures(self, before: str = "") -> str:
        return f"{before}{self.failed} target failures" if self.failed else ""
