"""How far a run is: a bar on a terminal, a line now and then elsewhere."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from assay.flows.terminal.console import is_narrow, notes
from assay.tasks.trial_note import TrialNote

_LINE_EVERY_SECONDS = 10.0
_SHORTEST_SECONDS = 1.0
"""What a rate has to rest on."""


class RunProgress:
    """Counts trials as they end; use it as a context and hand `note` to the run.

    Args:
        total: Trials that are left to do.

    Attributes:
        ended: How many have ended.
    """

    def __init__(self, total: int) -> None:
        self.ended = 0
        self._total = total
        self._failed = 0
        self._console = notes()
        self._first_at = self._line_at = time.monotonic()
        # A dumb terminal cannot move its cursor back to draw a bar anew.
        draws = self._console.is_terminal and not self._console.is_dumb_terminal
        self._bar = _Bar(self._console, total) if draws and total else None

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

    def say(self, text: str) -> None:
        """Print a remark, above the bar where there is one."""
        self._console.print(text)

    def note(self, note: TrialNote) -> None:
        """Count one more trial that has ended."""
        now = time.monotonic()
        if not self.ended:
            # What came before the first one is the start of a flow, and says nothing of the rest.
            self._first_at = self._line_at = now
        self.ended += 1
        self._failed += not note.executed
        if self._bar is not None:
            self._bar.show(self._rate(now), self._failures())
        elif now - self._line_at >= _LINE_EVERY_SECONDS:
            self._line_at = now
            self._console.print(self._line(now))

    def _per_second(self, now: float) -> float:
        seconds = now - self._first_at
        return (self.ended - 1) / seconds if seconds >= _SHORTEST_SECONDS else 0.0

    def _rate(self, now: float) -> str:
        rate = self._per_second(now)
        if not rate:
            return ""
        return f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min"

    def _line(self, now: float) -> str:
        parts = [f"{self.ended} of {self._total} trials", self._rate(now)]
        rate = self._per_second(now)
        if rate:
            parts.append(f"about {_duration((self._total - self.ended) / rate)} left")
        return ", ".join(filter(None, [*parts, self._failures()]))

    def _failures(self) -> str:
        return f"{self._failed} failed" if self._failed else ""


class _Bar:
    """The bar that a terminal shows; it leaves nothing behind."""

    def __init__(self, console: Console, total: int) -> None:
        narrow = is_narrow(console)
        texts = (TextColumn("{task.fields[rate]}"),) if not narrow else ()
        self._progress = Progress(
            BarColumn(bar_width=8 if narrow else 30),
            MofNCompleteColumn(),
            *texts,
            TimeRemainingColumn(),
            TextColumn("{task.fields[failures]}", style="red"),
            console=console,
            transient=True,
        )
        self._row = self._progress.add_task("trials", total=total, rate="", failures="")
        self.start, self.stop = self._progress.start, self._progress.stop

    def show(self, rate: str, failures: str) -> None:
        """Draw one more trial."""
        self._progress.update(self._row, advance=1, rate=rate, failures=failures)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
