"""Regrading, summarising and comparing on Prefect."""

import asyncio
from pathlib import Path

import pytest
from prefect.client.orchestration import get_client

from assay.flows.compare import compare_flow
from assay.flows.evaluate import evaluate
from assay.flows.regrade import regrade_flow, regrade_prepared
from assay.flows.summarize import summarize_flow
from assay.tasks.prepare_regrade import prepare_regrade
from assay.tasks.run_report import RunReport
from assay.tasks.store import open_store

pytestmark = pytest.mark.prefect

STRICTER = (
    '- {id: same, use: "graders:same"}\n- {id: words, use: "graders:words", with: {limit: 0}}\n'
)


@pytest.fixture
def evaluated(folder: Path, address: str) -> RunReport:
    """The experiment of the folder, run on Prefect."""
    return asyncio.run(evaluate(folder / "experiment.yaml", store=address))


def _flow_run_names(flow: str) -> list[str]:
    body = {"flows": {"name": {"any_": [flow]}}, "sort": "START_TIME_DESC"}
    with get_client(sync_client=True) as client:
        return [
            row["name"] for row in client.request("POST", "/flow_runs/filter", json=body).json()
        ]


def test_a_regrade_is_a_flow_without_target_calls(
    evaluated: RunReport, folder: Path, address: str
) -> None:
    """Old grades are carried over, new ones computed, by a task for each chunk."""
    suite = folder / "stricter.yaml"
    suite.write_text(STRICTER)
    (folder / "calls.log").unlink()
    (folder / "bot.py").write_text("raise RuntimeError('must not be imported')\n")
    prepared = prepare_regrade(open_store(address), evaluated.run_id, suite=suite)
    report = asyncio.run(regrade_prepared(prepared))
    assert not (folder / "calls.log").exists()
    assert (report.report.target_calls, report.report.reused, report.report.computed) == (0, 2, 2)
    assert _flow_run_names("regrade")[0] == f"regrade {evaluated.run_id}"


def test_the_flows_take_what_a_deployment_can_give(
    evaluated: RunReport, folder: Path, address: str
) -> None:
    """Texts: ids, an address, a path."""
    suite = folder / "stricter.yaml"
    suite.write_text(STRICTER)
    regraded = asyncio.run(regrade_flow(evaluated.run_id, address, str(suite)))
    shown = summarize_flow(regraded.report.grading_id, address)
    assert shown.summary.payload() == regraded.report.summary.payload()
    assert summarize_flow(evaluated.run_id, address).grading_id == regraded.report.grading_id
    compared = compare_flow(evaluated.grading_id, regraded.report.grading_id, address)
    assert (compared.baseline, compared.candidate) == (
        evaluated.grading_id,
        regraded.report.grading_id,
    )
    assert compared.payload()["matched_cases"] == 2
    assert _flow_run_names("compare")[0].startswith(f"compare {evaluated.grading_id}")
