"""The writer of grades: nothing refers to an identity that is not there."""

import asyncio
from collections.abc import Callable

import pytest

from assay.evaluators.schema import GRADES, IDENTITIES
from assay.tasks.store import GradeRow, GradeWriter, StoreError
from assay.tasks.store.folder import Folder
from assay.tasks.store.parts import Parts
from assay.tasks.store.rows import table_of

Make = Callable[..., GradeRow]
_E = {"sha256:e": ("evaluator", "{}")}


def _texts(folder: Folder) -> list[str]:
    texts: list[str] = (
        Parts(folder, IDENTITIES, prefix="identities").table(["text"])["text"].to_pylist()
    )
    return texts


def test_an_identity_is_written_once_for_all_its_grades(folder: Folder, grade: Make) -> None:
    """A thousand grades of one metric hold its text once."""

    async def main() -> None:
        async with GradeWriter(folder) as writer:
            for number in range(4):
                await writer.commit([grade(f"c{number}", "a")], _E)
            await writer.commit([grade("c9", "a")])
            await writer.commit([], {"sha256:m": ("metric", "m")})

    asyncio.run(main())
    assert _texts(folder) == ["{}", "m"]
    assert len(Parts(folder, GRADES).table(["case_id"])) == 5


def test_identities_are_durable_before_the_grades_that_name_them(
    folder: Folder, grade: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill between the two leaves a text too many, never a digest without meaning."""
    written: list[str] = []
    kind = type(folder)
    replace = kind.replace

    def note(self: Folder, name: str, content: bytes) -> None:
        written.append(name.split("-", maxsplit=1)[0])
        replace(self, name, content)

    monkeypatch.setattr(kind, "replace", note)
    with GradeWriter(folder) as writer:
        writer.commit_blocking([grade("c0", "a")], _E)
    assert written == ["identities", "part"]


def test_all_grades_of_a_trial_stand_in_one_part(folder: Folder, grade: Make) -> None:
    """So a trial is graded or not, whenever the process dies."""
    with GradeWriter(folder) as writer:
        writer.commit_blocking([grade("c0", "a"), grade("c0", "b")])
    (table,) = Parts(folder, GRADES).tables(["assessment_id"]).values()
    assert table["assessment_id"].to_pylist() == ["a", "b"]


def test_grades_in_bulk_are_columns(folder: Folder, grade: Make) -> None:
    """Grading again hands over whole chunks."""
    table = table_of([grade(f"c{number}", "a") for number in range(300)], GRADES)

    async def main() -> None:
        async with GradeWriter(folder) as writer:
            await writer.commit_table(table, _E)
            await asyncio.to_thread(writer.commit_table_blocking, table, _E)

    asyncio.run(main())
    assert len(Parts(folder, GRADES).table(["case_id"])) == 600
    assert _texts(folder) == ["{}"]


def test_a_bad_identity_harms_its_own_trial_only(folder: Folder, grade: Make) -> None:
    """Its digest must not count as written either."""
    with GradeWriter(folder) as writer:
        with pytest.raises(StoreError, match="column text cannot hold"):
            writer.commit_blocking([grade("c0", "a")], {"sha256:e": ("evaluator", "\ud800")})
        writer.commit_blocking([grade("c1", "a")], _E)
    assert _texts(folder) == ["{}"]
    assert len(Parts(folder, GRADES).table(["case_id"])) == 1
