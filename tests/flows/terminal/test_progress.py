"""Progress says how far a run is, on a terminal and in a log, and only what it knows."""

import io
import re

import pytest
from rich.console import Console

from assay.flows.terminal import progress
from assay.flows.terminal.progress import RunProgress
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_note import TrialNote

OK = TrialNote(TrialKey("a", 0), executed=True)
FAILED = TrialNote(TrialKey("a", 0), executed=False)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """The time that the test says it is."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the progress."""
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a log file gets of it."""
    written = io.StringIO()
    monkeypatch.setattr(progress, "notes", lambda: Console(file=written, width=100))
    return written


def test_a_log_gets_a_line_now_and_then(clock: Clock, log: io.StringIO) -> None:
    """A nightly log with a line a trial is read by nobody."""
    with RunProgress(100) as shown:
        for _ in range(41):
            shown.note(OK)
            clock.now += 0.5
    assert log.getvalue().splitlines() == [
        "21 of 100 trials, 2.0/s, about 40 s left",
        "41 of 100 trials, 2.0/s, about 30 s left",
    ]


def test_failures_are_told_while_there_is_time_to_stop(clock: Clock, log: io.StringIO) -> None:
    """A missing key fails every trial, and the user should not have to wait for the end."""
    with RunProgress(10) as shown:
        shown.note(FAILED)
        clock.now += 60
        shown.note(FAILED)
    assert log.getvalue() == "2 of 10 trials, 1.0/min, about 8 min 0 s left, 2 failed\n"


def test_the_start_says_nothing_of_the_rate(clock: Clock, log: io.StringIO) -> None:
    """The first trial waits for a flow to start; 400 of them do not take 400 times as long."""
    with RunProgress(400) as shown:
        clock.now += 50
        shown.note(OK)
    assert log.getvalue() == ""
    assert shown.ended == 1


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59.6, "1 min 0 s"), (3600, "1 h 0 min")]
)
def test_durations_are_said_in_words(seconds: float, text: str) -> None:
    """Nobody divides by 3,600 at two in the morning."""
    assert progress._duration(seconds) == text  # noqa: SLF001 - the words are what is shown


def terminal(monkeypatch: pytest.MonkeyPatch, *, kind: str, width: int = 80) -> io.StringIO:
    """What a terminal of this kind gets."""
    written = io.StringIO()
    monkeypatch.setenv("TERM", kind)
    console = Console(file=written, width=width, force_terminal=True)
    monkeypatch.setattr(progress, "notes", lambda: console)
    return written


@pytest.mark.parametrize("width", [40, 80])
def test_a_terminal_gets_a_bar_that_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """The report follows, and has the numbers."""
    written = terminal(monkeypatch, kind="xterm", width=width)
    with RunProgress(3) as shown:
        shown.note(OK)
        shown.note(FAILED)
    text = written.getvalue()
    assert "2/3" in text
    assert "1 failed" in text
    assert text.endswith("\x1b[1A\x1b[2K"), "the line of the bar is erased"
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    assert max(map(len, re.split(r"[\r\n]", plain))) <= width


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor's shell cannot move its cursor, and would show a bar for every trial."""
    written = terminal(monkeypatch, kind="dumb")
    with RunProgress(3) as shown:
        shown.note(OK)
        shown.note(OK)
    assert written.getvalue() == ""


def test_a_remark_stands_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two writers of one line would make both unreadable."""
    written = terminal(monkeypatch, kind="xterm")
    with RunProgress(3) as shown:
        shown.say("stopping")
    assert "stopping\n" in written.getvalue()


def test_a_run_with_nothing_left_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar of 0 of 0 is no progress."""
    written = terminal(monkeypatch, kind="xterm")
    with RunProgress(0):
        pass
    assert written.getvalue() == ""
