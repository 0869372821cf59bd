"""The places within the folder of a run, and what its journal says of them."""

from assay.evaluators.schema import EXECUTIONS as EXECUTION_COLUMNS
from assay.tasks.store.folder import Folder
from assay.tasks.store.forgotten import Forgotten, read_forgotten
from assay.tasks.store.journal import Journal
from assay.tasks.store.layout import EXECUTIONS, GRADINGS, JOURNAL
from assay.tasks.store.parts import Parts


class RunFolder:
    """A run's folder.

    Args:
        root: The folder itself.

    Attributes:
        root: The folder itself.
        executions: Where the parts of executions lie.
        gradings: Where the folders of gradings lie.
        journal: The facts that came later.
    """

    def __init__(self, root: Folder) -> None:
        self.root = root
        self.executions = root.child(EXECUTIONS)
        self.gradings = root.child(GRADINGS)
        self.journal = Journal(root.child(JOURNAL))

    def execution_parts(self, *, skip_damaged: bool = False) -> Parts:
        """The parts of executions."""
        return Parts(self.executions, EXECUTION_COLUMNS, skip_damaged=skip_damaged)

    def forgotten(self) -> tuple[Forgotten, ...]:
        """The erasures in this run, the oldest first.

        Raises:
            StoreError: the journal cannot be read.
        """
        return read_forgotten(self.journal.facts())

    def later_files(self, path: str) -> list[str]:
        """The digests of what a file of the run has become by erasures."""
        found = (one.files.get(path) for one in self.forgotten())
        return [digest for digest in found if digest is not None]
