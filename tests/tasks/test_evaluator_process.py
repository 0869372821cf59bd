"""Evaluators that hold the interpreter, or take it down, and a run that goes on all the same."""

import asyncio
import importlib.util
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.composite import Component, Composite
from assay.evaluators.errors import EvaluatorError, IncompleteRecording, Skip
from assay.evaluators.evaluator import Evaluator
from assay.evaluators.execution import Execution
from assay.evaluators.function import FunctionEvaluator, evaluator
from assay.evaluators.limits import Limits
from assay.evaluators.outcome import Expired, Given, Raised, TimedOutcome
from assay.evaluators.projection import Projection
from assay.evaluators.report import Report
from assay.evaluators.retained import CaseTexts
from assay.evaluators.sample import RetainedSample, Sample
from assay.evaluators.selection import Selection
from assay.evaluators.suite import Suite
from assay.tasks.evaluator_process import EvaluatorProcesses
from assay.tasks.load_import import load_import
from assay.tasks.mask_secrets import NO_SECRETS
from assay.tasks.targets import freeze

FOLDER = Path(__file__).parent / "isolation"


@pytest.fixture(scope="module")
def graders() -> ModuleType:
    """The module of evaluators, loaded as the suite of an experiment loads it."""
    exact = load_import("graders:exact", FOLDER)
    assert isinstance(exact, FunctionEvaluator)
    return sys.modules[exact.function.__module__]


@pytest.fixture(scope="module")
def processes() -> Iterator[EvaluatorProcesses]:
    """Two workers, which the tests use again and again."""
    with EvaluatorProcesses(max_workers=2) as running:
        yield running


def _sample(output: object, *, given: object = None, expected: object = None) -> RetainedSample:
    receipt = freeze(Execution(output=output), NO_SECRETS)
    case = Case(id="c", input=given, expected=expected)
    return receipt.sample(CaseTexts("c", case.input_text, case.expected_text, "{}"))


def _call(
    processes: EvaluatorProcesses,
    grader: Evaluator[object],
    sample: object,
    seconds: float | None = 60,
) -> TimedOutcome[object]:
    return asyncio.run(processes.call(grader, sample, seconds))


def _given(outcome: TimedOutcome[object]) -> object:
    assert isinstance(outcome, Given), outcome
    return outcome.value


def _error(outcome: TimedOutcome[object]) -> BaseException:
    assert isinstance(outcome, Raised), outcome
    return outcome.error


def _is_gone(pid: int) -> bool:
    """True once the process is gone or waits only to be collected."""
    for _ in range(1500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def _pids(note: Path) -> list[int]:
    for _ in range(1500):
        if note.exists():
            return [int(pid) for pid in note.read_text().split()]
        time.sleep(0.02)
    pytest.fail("the evaluator never began")


def test_the_report_is_the_one_that_a_thread_gives(
    processes: EvaluatorProcesses, graders: ModuleType
) -> None:
    """Isolation changes where an evaluator runs and nothing else, settings included."""
    sample = _sample("Yes", expected="yes")
    for grader in (graders.exact, graders.exact.configured({"ignore_case": True})):
        assert _given(_call(processes, grader, sample)) == grader.grade(sample)
    in_memory = Sample(Case(id="c", input=1, expected="yes"), Execution(output="yes"))
    assert _given(_call(processes, graders.exact, in_memory)) == graders.exact.grade(in_memory)


def test_a_function_of_several_outputs_gives_them_all(
    processes: EvaluatorProcesses, graders: ModuleType
) -> None:
    """One call, and as many assessments as it declared; not in this process."""
    answers = _given(_call(processes, graders.several, _sample("four")))
    assert isinstance(answers, dict)
    reports = {name: report.measurement for name, report in answers.items()}
    assert reports["length"] == 4
    assert reports["pid"] != os.getpid()


def test_workers_are_used_again(processes: EvaluatorProcesses, graders: ModuleType) -> None:
    """A start of the interpreter for each grade would cost more than most grades."""

    async def pids() -> set[object]:
        return {
            _given(await processes.call(graders.several, _sample(1), 60))["pid"].measurement  # type: ignore[index]
            for _ in range(6)
        }

    assert len(asyncio.run(pids())) <= 2


def test_a_coroutine_and_a_plain_object_run_there_too(
    processes: EvaluatorProcesses, graders: ModuleType
) -> None:
    """Whatever satisfies the evaluator's protocol."""
    assert isinstance(_given(_call(processes, graders.patient, _sample("x"))), Report)
    assert isinstance(_given(_call(processes, graders.Plain(), _sample("x", expected="x"))), Report)


@pytest.mark.parametrize(
    ("name", "output"), [("tower", 1), ("backtracking", "a" * 40 + "b")], ids=["power", "regex"]
)
def test_what_holds_the_interpreter_ends_at_the_limit(
    processes: EvaluatorProcesses, graders: ModuleType, name: str, output: object
) -> None:
    """No signal and no thread can end these (B32); the next evaluator finds a new worker."""
    started = time.monotonic()
    outcome = _call(processes, getattr(graders, name), _sample(output), 1)
    assert outcome == Expired(1, abandoned=False)
    assert time.monotonic() - started < 60
    assert _given(_call(processes, graders.exact, _sample(1, expected=1)))


def test_a_suite_records_the_limit_as_a_failed_assessment(
    processes: EvaluatorProcesses, graders: ModuleType
) -> None:
    """It is the evaluator's failure, with its class, and the other assessments stand."""
    suite = Suite([Assessment("slow", graders.backtracking), Assessment("exact", graders.exact)])
    sample = _sample("a" * 40 + "b", expected=1)
    run = asyncio.run(suite.run(sample, limits=Limits(1, processes)))
    slow, exact = run.result.results
    assert (slow.status, slow.error_class) == ("failed", "timeout")
    assert exact.status == "completed"


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("exit", "ended with exit code 3"),
        ("segfault", "was killed by SIGSEGV"),
        ("kill", "was killed by SIGKILL"),
    ],
)
def test_a_worker_that_dies_is_a_failed_assessment(
    processes: EvaluatorProcesses, graders: ModuleType, way: str, words: str
) -> None:
    """Foreign code crashes, or the system kills it for its memory; only its own grade is lost."""
    error = _error(_call(processes, graders.dying, _sample(1, given=way)))
    assert isinstance(error, EvaluatorError)
    assert (error.error_class, words in str(error)) == ("internal", True)
    assert _given(_call(processes, graders.dying, _sample(1, given="live")))


def test_leaving_the_interpreter_is_an_error_like_any_other(
    processes: EvaluatorProcesses, graders: ModuleType
) -> None:
    """The worker survives it."""
    assert isinstance(
        _error(_call(processes, graders.dying, _sample(1, given="system exit"))), SystemExit
    )


def test_what_an_evaluator_says_about_itself_survives_the_journey(
    processes: EvaluatorProcesses, graders: ModuleType
) -> None:
    """Skip, missing evidence and declared classes are statuses, so they must stay what they are."""
    errors = {
        given: _error(_call(processes, graders.raising, _sample(1, given=given)))
        for given in ("skip", "incomplete", "error", "value", "odd")
    }
    assert isinstance(errors["skip"], Skip)
    assert errors["skip"].reason == "not here"
    assert isinstance(errors["incomplete"], IncompleteRecording)
    assert isinstance(errors["error"], EvaluatorError)
    assert (errors["error"].error_class, errors["error"].retry_after) == ("rate_limited", 2.0)
    assert isinstance(errors["value"], ValueError)
    assert isinstance(errors["odd"], EvaluatorError)
    assert (errors["odd"].error_class, str(errors["odd"])) == ("rate_limited", "Odd: 1 and 2")


def test_an_evaluator_may_limit_itself_by_a_signal(
    processes: EvaluatorProcesses, graders: ModuleType
) -> None:
    """Which works in a main thread alone, such as a worker's."""
    assert _given(_call(processes, graders.signalled, _sample(1)))


@evaluator(revision="1", isolation="process")
def here(sample: Sample) -> bool:
    """An evaluator in a test file, which is no module of any search path."""
    return sample.output == 1


@evaluator(revision="1", isolation="process")
def share(sample: Sample) -> float:
    """A score from a test file."""
    return float(str(sample.output))


def share_alone(score: float) -> Report:
    """What a composite of the evaluator above reports, in this process."""
    subject = Sample(Case(id="c", input=None), Execution(output=score))
    return asyncio.run(Composite([Component(share)]).evaluate(subject))


def test_an_evaluator_of_a_file_off_the_search_path_is_found(
    processes: EvaluatorProcesses,
) -> None:
    """Tests are imported by their path, and evaluators may stand in them."""
    assert _given(_call(processes, here, _sample(1)))


def test_parts_behind_a_projection_and_in_a_composite_travel_too(
    processes: EvaluatorProcesses,
) -> None:
    """They need their modules as much as an evaluator that stands alone."""
    projection = Projection(here, Selection.parse("/a"), name="/a")
    assert _given(_call(processes, projection, _sample({"a": 1})))
    composite = Composite([Component(share)])
    assert _given(_call(processes, composite, _sample(0.5))) == share_alone(0.5)


def test_an_evaluator_that_cannot_travel_is_unsupported(processes: EvaluatorProcesses) -> None:
    """The message says what to do, because nothing will change by trying again."""

    @evaluator(revision="1", isolation="process")
    def local(_: Sample) -> bool:
        return True

    error = _error(_call(processes, local, _sample(1)))
    assert isinstance(error, EvaluatorError)
    assert error.error_class == "unsupported"
    assert "define the evaluator at the top level of a module" in str(error)


def test_a_subject_that_cannot_travel_is_unsupported(
    processes: EvaluatorProcesses, graders: ModuleType
) -> None:
    """An experiment in memory hands over Python objects as they are."""
    sample = Sample(Case(id="c", input=1), Execution(output=lambda: 1))
    error = _error(_call(processes, graders.exact, sample))
    assert isinstance(error, EvaluatorError)
    assert error.error_class == "unsupported"


def test_an_edited_source_is_noticed(processes: EvaluatorProcesses, tmp_path: Path) -> None:
    """A worker imports the file as it is now; a grade of other code must not pass for this one."""
    file = tmp_path / "edited_graders.py"
    source = textwrap.dedent("""
        from assay.evaluators.function import evaluator

        @evaluator(isolation="process")
        def fine(sample):
            return True
    """)
    file.write_text(source)
    fine = load_import("edited_graders:fine", tmp_path)
    assert isinstance(fine, FunctionEvaluator)
    file.write_text(source.replace("True", "False"))
    error = _error(_call(processes, fine, _sample(1)))
    assert isinstance(error, EvaluatorError)
    assert error.error_class == "identity_mismatch"


def test_cancellation_kills_the_evaluator_and_what_it_started(
    graders: ModuleType, tmp_path: Path
) -> None:
    """Without a limit it would run for ever, for nobody."""
    note = tmp_path / "pids"

    async def cancel() -> None:
        with EvaluatorProcesses(max_workers=1) as processes:
            sample = _sample(1, given=[600, str(note)])
            task = asyncio.create_task(processes.call(graders.sleepy, sample, None))
            await asyncio.to_thread(_pids, note)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert isinstance(await processes.call(graders.patient, _sample(1), 60), Given)

    asyncio.run(cancel())
    assert all(_is_gone(pid) for pid in _pids(note))


def test_closing_kills_what_runs(graders: ModuleType, tmp_path: Path) -> None:
    """The run has ended: whoever still waits learns it, and nobody can start again."""
    note = tmp_path / "pids"

    async def close() -> list[TimedOutcome[object]]:
        async with EvaluatorProcesses(max_workers=1) as processes:
            sample = _sample(1, given=[600, str(note)])
            running = asyncio.create_task(processes.call(graders.sleepy, sample, None))
            await asyncio.to_thread(_pids, note)
            queued = asyncio.create_task(processes.call(graders.exact, _sample(1), None))
            await asyncio.sleep(0.05)
        return [await running, await queued, await processes.call(graders.exact, _sample(1), 1)]

    errors = [_error(outcome) for outcome in asyncio.run(close())]
    assert all(isinstance(error, EvaluatorError) for error in errors)
    assert "the run has ended" in str(errors[1])
    assert "the run has ended" in str(errors[2])
    assert all(_is_gone(pid) for pid in _pids(note))


def test_time_in_the_queue_does_not_count(graders: ModuleType) -> None:
    """Six evaluators share a worker; each one alone makes its limit."""

    async def crowd() -> list[TimedOutcome[object]]:
        with EvaluatorProcesses(max_workers=1) as processes:
            return await asyncio.gather(
                *(processes.call(graders.patient, _sample(1), 20) for _ in range(6))
            )

    assert all(isinstance(outcome, Given) for outcome in asyncio.run(crowd()))


def test_nothing_starts_before_the_first_call() -> None:
    """Most suites have no such evaluator."""
    processes = EvaluatorProcesses()
    processes.close()
    processes.close()


HOST = """
    import asyncio, sys
    from pathlib import Path
    from assay.evaluators.case import Case
    from assay.evaluators.execution import Execution
    from assay.evaluators.sample import Sample
    from assay.tasks.evaluator_process import EvaluatorProcesses
    from assay.tasks.load_import import load_import

    folder, name, given = sys.argv[1:]
    processes = EvaluatorProcesses(max_workers=1)
    sample = Sample(Case(id="c", input=eval(given)), Execution(output="a" * 40 + "b"))
    grader = load_import(f"graders:{name}", Path(folder))
    several = load_import("graders:several", Path(folder))
    outcome = asyncio.run(processes.call(several, sample, 60))
    print(int(outcome.value["pid"].measurement), flush=True)
    print(asyncio.run(processes.call(grader, sample, None)), flush=True)
"""


def _host(tmp_path: Path, name: str, given: object) -> "subprocess.Popen[str]":
    script = tmp_path / "host.py"
    script.write_text(textwrap.dedent(HOST))
    return subprocess.Popen(
        [sys.executable, str(script), str(FOLDER), name, repr(given)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the worker ends at its limit")
@pytest.mark.parametrize("name", ["backtracking", "sleepy"])
def test_a_worker_ends_with_a_host_that_is_killed(tmp_path: Path, name: str) -> None:
    """Even while it holds the interpreter, where no thread of it could watch for anything."""
    with _host(tmp_path, name, [600, str(tmp_path / "pids")]) as host:
        assert host.stdout is not None
        pid = int(host.stdout.readline())
        time.sleep(0.3)
        host.kill()
    assert _is_gone(pid)


def test_a_worker_ends_with_a_host_that_leaves_and_keeps_its_output_clean(tmp_path: Path) -> None:
    """Nobody closed it, and what the evaluator printed is not the host's standard output."""
    with _host(tmp_path, "chatty", None) as host:
        output, errors = host.communicate(timeout=120)
    pid, outcome = output.splitlines()
    assert outcome.startswith("Given(")
    assert "chatter" in errors
    assert host.returncode == 0
    assert _is_gone(int(pid))


def test_a_thread_that_an_evaluator_left_behind_keeps_no_worker(
    graders: ModuleType,
) -> None:
    """It is not a daemon, so an ordinary interpreter would wait for it."""
    started = time.monotonic()
    with EvaluatorProcesses(max_workers=1) as processes:
        assert _given(_call(processes, graders.dying, _sample(1, given="thread")))
    assert time.monotonic() - started < 60


def test_the_worker_needs_no_module_of_the_host() -> None:
    """It starts with every run that needs it, so it imports neither Prefect nor polars."""
    assert importlib.util.find_spec("prefect")
    code = "import assay.tasks.isolation.worker, sys; print({'prefect', 'polars'} & {*sys.modules})"
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert finished.stdout == "set()\n"
