"""A store that cannot be written any more: one sentence, no loss, and the run goes on later."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from disturbed import Command, Disturbed, comparable, wait_until
from fault_table import FaultTable

_ENOUGH = 10
_STEP = 40  # some part files are written by then, and some are not


class Disk:
    """A small disk of its own, mounted at a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self._mount("-t", "tmpfs", "-o", "size=4m", "tmpfs")

    def _mount(self, *words: str) -> None:
        subprocess.run(["mount", *words, self.folder], check=True, capture_output=True)  # noqa: S607

    def fill(self) -> None:
        """Leave no byte."""
        with (self.folder / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
            while True:
                ballast.write(bytes(4096))

    def drain(self) -> None:
        """Give the space back."""
        (self.folder / "ballast").unlink()

    def protect(self) -> None:
        """Let nobody write; waits until no file is open for writing."""
        for _ in range(1000):
            try:
                return self._mount("-o", "remount,ro")
            except subprocess.CalledProcessError:
                continue
        raise AssertionError("the disk is always busy")

    def release(self) -> None:
        """Let everybody write again."""
        self._mount("-o", "remount,rw")

    def remove(self) -> None:
        """Unmount it."""
        subprocess.run(["umount", "-l", self.folder], check=True)  # noqa: S607


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A disk that can be filled and protected, where this user may mount one."""
    if shutil.which("mount") is None:
        pytest.skip("there is no program to mount a disk")
    try:
        one = Disk(tmp_path / "disk")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"this user may mount no disk: {error.stderr.decode().strip()}")
    yield one
    one.remove()


def _stopped(command: Command) -> str:
    assert command.wait() == 2, command.said()
    assert "Traceback" not in command.said()
    (sentence,) = [line for line in command.said().splitlines() if line.startswith("assay: ")]
    assert "cannot write it" in sentence
    return sentence


def test_a_full_disk_costs_a_sentence_and_no_receipt(
    disk: Disk, tmp_path: Path, api_url: str, undisturbed: str, table: FaultTable
) -> None:
    """Fault B25, on a real file system: the sentence names the path and what to do."""
    run = Disturbed(tmp_path / "run", api_url, store=str(disk.folder / "store"))
    command = run.begin()
    wait_until(lambda: len(run.acknowledged()) >= _ENOUGH, command)
    disk.fill()
    sentence = _stopped(command)
    assert run.store in sentence
    assert "No space left on device; free some space" in sentence
    repeated = run.account_for(command, run.nothing)
    known = len(run.acknowledged())
    disk.drain()
    assert comparable(run.finish()) == undisturbed
    table.add("full disk", kills=1, acknowledged=known, lost=0, repeated=repeated)


def test_a_writer_without_space_costs_a_sentence_and_no_receipt(
    disturbed: Disturbed, undisturbed: str, table: FaultTable
) -> None:
    """The same where no disk can be mounted, at a step that no disk would choose."""
    command = disturbed.begin(f"full={_STEP}")
    assert "free some space" in _stopped(command)
    repeated = disturbed.account_for(command, disturbed.nothing)
    known = len(disturbed.acknowledged())
    assert comparable(disturbed.finish()) == undisturbed
    table.add("no space from a step on", kills=1, acknowledged=known, lost=0, repeated=repeated)


def test_a_disk_that_becomes_read_only_costs_a_sentence_and_no_receipt(
    disk: Disk, tmp_path: Path, api_url: str, undisturbed: str, table: FaultTable
) -> None:
    """As a host does with a disk that has errors."""
    run = Disturbed(tmp_path / "run", api_url, store=str(disk.folder / "store"))
    command = run.begin()
    wait_until(lambda: len(run.acknowledged()) >= _ENOUGH, command)
    disk.protect()
    assert "choose a store that can be written" in _stopped(command)
    repeated = run.account_for(command, run.nothing)
    known = len(run.acknowledged())
    disk.release()
    assert comparable(run.finish()) == undisturbed
    table.add("read-only disk", kills=1, acknowledged=known, lost=0, repeated=repeated)


def test_a_lost_write_permission_costs_a_sentence_and_no_receipt(
    disturbed: Disturbed, undisturbed: str, table: FaultTable
) -> None:
    """Where this user is subject to permissions at all; root is not."""
    if os.geteuid() == 0:
        pytest.skip("root may write whatever the permissions say; a read-only disk is tested")
    command = disturbed.begin()
    wait_until(lambda: len(disturbed.acknowledged()) >= _ENOUGH, command)
    folders = [one for one in Path(disturbed.store).rglob("*") if one.is_dir()]
    for folder in folders:
        folder.chmod(0o555)
    assert "give write permission" in _stopped(command)
    repeated = disturbed.account_for(command, disturbed.nothing)
    known = len(disturbed.acknowledged())
    for folder in folders:
        folder.chmod(0o755)
    assert comparable(disturbed.finish()) == undisturbed
    table.add("lost permission", kills=1, acknowledged=known, lost=0, repeated=repeated)
