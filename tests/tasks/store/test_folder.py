"""The operations that the protocol rests on, on disk and in memory alike."""

import errno
from collections.abc import Callable
from pathlib import Path

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from assay.evaluators.schema import EXECUTIONS
from assay.tasks.store import ExecutionRow, PartWriter, StoreError
from assay.tasks.store.folder import Folder
from assay.tasks.store.local_folder import LocalFolder
from assay.tasks.store.part_kind import EXECUTION_PARTS
from assay.tasks.store.parts import Parts
from assay.tasks.store.remote_folder import RemoteFolder


def test_what_was_written_is_there(folder: Folder) -> None:
    """Folders on the way are made as they are needed."""
    deep = folder.child("a").child("b")
    deep.add("x.json", b"1")
    deep.replace("y.json", b"2")
    deep.replace("y.json", b"3")
    assert deep.names() == ("x.json", "y.json")
    assert deep.read("y.json") == b"3"
    assert folder.names() == ("a",)
    assert folder.exists("a")
    with deep.open("x.json") as file:
        assert file.read() == b"1"


def test_a_taken_name_is_refused_and_unchanged(folder: Folder) -> None:
    """Of two writers one must learn that it came second."""
    folder.add("x", b"first")
    with pytest.raises(FileExistsError):
        folder.add("x", b"second")
    assert folder.read("x") == b"first"
    assert folder.names() == ("x",)


def test_a_folder_appears_as_a_whole(folder: Folder) -> None:
    """A run whose plan can be read has its cases."""
    folder.publish("run", {"cases": b"c", "plan": b"p"})
    assert folder.child("run").names() == ("cases", "plan")
    with pytest.raises(FileExistsError):
        folder.publish("run", {"cases": b"other", "plan": b"other"})
    assert folder.child("run").read("cases") == b"c"
    assert folder.names() == ("run",)


def test_what_is_not_there_is_said_to_be_missing(folder: Folder) -> None:
    """Nothing is not an error where a listing is asked for; a file that is read must exist."""
    assert folder.names() == ()
    assert not folder.exists("x")
    with pytest.raises(FileNotFoundError):
        folder.read("x")
    with pytest.raises(FileNotFoundError):
        folder.open("x")


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("write", [LocalFolder.add, LocalFolder.replace])
def test_an_interrupted_write_leaves_nothing(
    write: Callable[[LocalFolder, str, bytes], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-C between writing and renaming shows no torn file and no litter."""
    monkeypatch.setattr("os.fsync", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(LocalFolder(tmp_path), "x", b"1")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_folder_does_not_appear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A half-written plan is not a run."""
    monkeypatch.setattr("os.fsync", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        LocalFolder(tmp_path).publish("run", {"cases": b"c", "plan": b"p"})
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_hard_links_still_refuses_a_taken_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network and removable disks have none."""

    def unsupported(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", unsupported)
    folder = LocalFolder(tmp_path)
    folder.add("x", b"first")
    with pytest.raises(FileExistsError):
        folder.add("x", b"second")
    assert folder.read("x") == b"first"
    assert folder.names() == ("x",)


def test_a_host_that_refuses_is_named_with_its_path(tmp_path: Path) -> None:
    """One sentence, and no traceback of ours in front of a person's own mistake."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(
        StoreError, match=rf"^{tmp_path}/file/below/x: cannot write it: a file is in"
    ):
        LocalFolder(tmp_path / "file" / "below").add("x", b"1")


class _Flaky(MemoryFileSystem):
    """Fails the given number of PUTs; `lost` ones succeed and their answer is lost."""

    cachable = False
    failures = 0
    lost = False

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite") -> None:
        if self.failures:
            self.failures -= 1
            if self.lost:
                super().pipe_file(path, value, mode)
            raise OSError(5, "try again")
        super().pipe_file(path, value, mode)


def _flaky(failures: int, *, lost: bool) -> RemoteFolder:
    system = _Flaky()
    system.failures, system.lost = failures, lost
    return RemoteFolder(system, f"/flaky-{failures}-{lost}", protocol="memory")


@pytest.fixture
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)


@pytest.mark.usefixtures("_no_waiting")
@pytest.mark.parametrize("lost", [False, True])
def test_a_put_that_failed_is_tried_again(*, lost: bool) -> None:
    """Also where only the answer was lost: that is not somebody else's file."""
    folder = _flaky(2, lost=lost)
    folder.add("x", b"1")
    assert folder.read("x") == b"1"
    fsspec.filesystem("memory").rm(folder.place.removeprefix("memory:/"), recursive=True)


@pytest.mark.usefixtures("_no_waiting")
def test_a_put_that_keeps_failing_is_an_error_that_names_the_address() -> None:
    """Nothing is swallowed."""
    with pytest.raises(StoreError, match=r"^memory://flaky-99-False/x: cannot write it: try again"):
        _flaky(99, lost=False).add("x", b"1")


def test_files_are_measured_and_folders_are_not(folder: Folder) -> None:
    """Which parts are worth a merge is seen without opening any."""
    folder.add("x", b"123")
    folder.child("deep").add("y", b"1")
    assert folder.sizes() == {"x": 3}
    assert folder.child("nowhere").sizes() == {}


def test_a_removed_file_is_gone_and_a_missing_one_is_no_error(folder: Folder) -> None:
    """Two programs may tidy up at once."""
    folder.add("x", b"1")
    folder.remove("x")
    folder.remove("x")
    folder.child("nowhere").remove("x")
    assert folder.names() == ()
    assert not folder.exists("x")


def test_a_full_disk_loses_nothing_that_was_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, receipt: Callable[..., ExecutionRow]
) -> None:
    """One sentence with the path and what to do, no torn file, and what was there is there."""
    folder = LocalFolder(tmp_path)
    writer = PartWriter[ExecutionRow](folder, EXECUTION_PARTS)
    writer.commit_blocking(receipt("c0"))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        sentence = rf"^{tmp_path}/part-.*: cannot write it: No space left .*; free some space$"
        with pytest.raises(StoreError, match=sentence):
            writer.commit_blocking(receipt("c1"))
    with pytest.raises(StoreError, match="free some space"):
        writer.commit_blocking(receipt("c2"))
    parts = Parts(folder, EXECUTIONS)
    assert parts.table(["case_id"])["case_id"].to_pylist() == ["c0"]
    assert len(folder.names()) == 1
    assert parts.damaged() == ()
