"""Prefect may die at any moment of a run, and takes no number with it (B28)."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from prefect.exceptions import PrefectException

from assay.flows import evaluate as module
from assay.flows.evaluate import evaluate_prepared
from assay.flows.terminal import start_prefect
from assay.tasks.prepare_run import prepare_run

ERRORS = [httpx.ConnectError("refused"), PrefectException("aborted")]


@pytest.mark.parametrize("error", ERRORS, ids=["gone", "aborted"])
@pytest.mark.usefixtures("folder")
def test_a_report_outlives_the_server(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """All trials are in the store; that the flow has ended is all that Prefect does not know."""

    async def flow(*_: object) -> None:
        taken = module._prepared.take()  # noqa: SLF001 - a flow of ours takes it so
        assert taken is not None
        taken[2].hand_in("the report")
        raise error

    monkeypatch.setattr(module, "evaluate_flow", flow)
    assert asyncio.run(evaluate_prepared(prepare_run("experiment.yaml"))) == "the report"


@pytest.mark.parametrize("error", ERRORS, ids=["gone", "aborted"])
def test_a_run_that_prefect_ended_says_what_is_kept(
    folder: Path,
    assay: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    """The user goes on when the server is back, and pays nothing twice."""

    async def flow(*_: object) -> None:
        raise error

    monkeypatch.setattr(start_prefect, "start_prefect", lambda: None)
    monkeypatch.setattr(module, "evaluate_flow", flow)
    said = assay("run", "experiment.yaml", "--run-id", "monday-1")
    assert (said.code, said.out) == (2, "")
    sentence = said.err.splitlines()[-1]
    assert re.match(r"assay: Prefect failed with \w+: (refused|aborted); 0 of 2 trials", sentence)
    assert "monday-1" in sentence.partition("go on with: ")[2]
    assert "Traceback" not in said.err
    assert not (folder / "calls.log").exists()
