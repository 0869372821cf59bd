"""What resuming a run will do, said before it is done."""

from assay.flows.terminal.console import inert, notes
from assay.tasks.prepare_resume import Resumption


def show_resumption(resumption: Resumption) -> None:
    """Say on standard error what will be executed and graded, and what is kept."""
    console = notes()
    for warning in resumption.warnings:
        console.print(f"warning: {inert(warning)}")
    console.print(f"run {resumption.run.run_id}")
    for line in resumption.lines():
        console.print(inert(line))
