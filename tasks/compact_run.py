"""Merging the part files of a run, so that it is read as fast as if it had been written at once."""

from dataclasses import dataclass

from assay.tasks.store import Store

_PURPOSE = "compact"


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a compaction came to.

    Attributes:
        run_id: The run.
        before: Part files that there were.
        after: Part files that there are.
        left_alone: Places of parts that were not merged: damaged ones, and those of an older
            version.
    """

    run_id: str
    before: int
    after: int
    left_alone: tuple[str, ...]

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {
            "run_id": self.run_id,
            "before": self.before,
            "after": self.after,
            "left_alone": list(self.left_alone),
            "exit_code": 0,
        }

    def lines(self) -> tuple[str, ...]:
        """One line for people, and one for each part that was left alone."""
        done = f"run {self.run_id}: {self.before} part files have become {self.after}"
        return (done, *(f"{place}: left as it is" for place in self.left_alone))


def compact_run(store: Store, run_id: str) -> Compacted:
    """Merge the parts of a run: executions, grades and identities, each sorted by case.

    It may be killed at any moment, and done again: no row is lost, and readers notice nothing.

    Args:
        store: Where the run is.
        run_id: The run, or the unique beginning of its id.

    Raises:
        InputError: there is no such run, somebody writes it, or the store cannot be written.
        StoreError: the store cannot be read or written.
    """
    store.require_writable()
    run = store.run(run_id)
    with run.lease(_PURPOSE) as lease:
        mergers = run.mergers(lease.require_held)
        before = sum(merger.count() for merger in mergers)
        for merger in mergers:
            merger.merge_all()
        after = sum(merger.count() for merger in mergers)
    left = tuple(sorted(place for merger in mergers for place in merger.places_left_alone()))
    return Compacted(run.run_id, before, after, left)
