"""A program as a target."""

import asyncio
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from assay.evaluators.errors import InputError, TargetError
from assay.evaluators.execution import Execution
from assay.tasks.targets import CommandTarget
from assay.tasks.targets.reply import LARGEST_REPLY


def _python(tmp_path: Path, code: str) -> CommandTarget:
    script = tmp_path / "bot.py"
    script.write_text(textwrap.dedent(code))
    return CommandTarget([sys.executable, "bot.py"], tmp_path)


def _run(target: CommandTarget, given: object = None) -> Execution:
    return asyncio.run(target.run(given))


def _failure(target: CommandTarget) -> TargetError:
    with pytest.raises(TargetError) as raised:
        _run(target)
    return raised.value


def test_input_goes_in_as_json_and_output_comes_out_as_json(tmp_path: Path) -> None:
    """Any language can be tested this way; text stays text whatever the locale."""
    target = _python(tmp_path, "import sys, json; print(json.dumps({'got': json.load(sys.stdin)}))")
    assert _run(target, {"q": "héllo\n"}).output == {"got": {"q": "héllo\n"}}


def test_a_line_reader_gets_a_whole_line(tmp_path: Path) -> None:
    """A shell's `read` fails on input without a line end."""
    target = CommandTarget(["/bin/sh", "-c", 'read line && echo "$line"'], tmp_path)
    assert _run(target, [1, "x"]).output == [1, "x"]


def test_it_runs_in_the_folder_of_the_experiment(tmp_path: Path) -> None:
    """Relative paths in an experiment file are relative to that file."""
    target = _python(tmp_path, "import os, json; print(json.dumps(os.getcwd()))")
    assert _run(target).output == str(tmp_path.resolve())


def test_an_object_of_one_key_execution_is_a_receipt(tmp_path: Path) -> None:
    """So a program can say what it used, and that it ran out of budget."""
    reply = (
        '{"execution": {"status": "budget_exhausted", "reason": "r", "usage": {"model_calls": 2}}}'
    )
    execution = _run(_python(tmp_path, f"print({reply!r})"))
    assert execution.status == "budget_exhausted"
    assert execution.usage is not None
    assert execution.usage.model_calls == 2
    assert not execution.has_output


def test_execution_beside_other_keys_is_an_output(tmp_path: Path) -> None:
    """An answer that happens to have such a key stays an answer."""
    execution = _run(_python(tmp_path, """print('{"execution": 1, "x": 2}')"""))
    assert execution.output == {"execution": 1, "x": 2}


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "yes",
        "1 2",
        "NaN",
        '{"a":1,"a":2}',
        r'"\ud800"',
        '{"execution": 3}',
        '{"execution": {"status": "completed", "reason": "but why"}}',
        "\\xff",
    ],
)
def test_anything_but_one_strict_json_value_is_a_malformed_reply(
    tmp_path: Path, printed: str
) -> None:
    """Guessing what was meant would grade something that nobody answered."""
    target = _python(tmp_path, f"import sys; sys.stdout.buffer.write(b'''{printed}''')")
    error = _failure(target)
    assert error.error_class == "malformed_reply"
    assert "standard output: " in str(error)


def test_the_exit_code_decides_whatever_was_printed(tmp_path: Path) -> None:
    """A candidate that prints its own success marker and then fails has failed (B46)."""
    code = "import sys; print('\"PASSED\"'); print('no such tool', file=sys.stderr); sys.exit(3)"
    error = _failure(_python(tmp_path, code))
    assert error.error_class == "internal"
    assert "exit code 3; the end of its standard error: no such tool" in str(error)


def test_standard_error_never_mixes_with_the_reply(tmp_path: Path) -> None:
    """A warning must not make a good answer malformed."""
    code = "import sys; print('warning', file=sys.stderr); print(1); print('x', file=sys.stderr)"
    assert _run(_python(tmp_path, code)).output == 1


def test_a_program_killed_by_a_signal_says_so(tmp_path: Path) -> None:
    """A crash of foreign code looks like nothing otherwise."""
    error = _failure(_python(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"))
    assert (error.error_class, "SIGSEGV" in str(error)) == ("internal", True)


def test_large_streams_cause_no_deadlock(tmp_path: Path) -> None:
    """Both sides write more than a pipe holds before they read."""
    code = """
        import sys, json
        sys.stderr.write("e" * 1_000_000)
        sys.stdout.write('"' + "o" * 1_000_000)
        sys.stdout.flush()
        given = json.load(sys.stdin)
        sys.stdout.write(str(len(given)) + '"')
    """
    output = _run(_python(tmp_path, code), "i" * 1_000_000).output
    assert output == "o" * 1_000_000 + "1000000"


def test_a_program_may_leave_its_input_unread(tmp_path: Path) -> None:
    """It closes a pipe that still holds megabytes, and that is its own affair."""
    target = _python(tmp_path, "import sys; sys.stdin.close(); print(5)")
    assert _run(target, "i" * 2_000_000).output == 5


def test_an_endless_reply_is_cut_off(tmp_path: Path) -> None:
    """One target must not take the memory of all the others."""
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    error = _failure(_python(tmp_path, code))
    assert (error.error_class, str(LARGEST_REPLY) in str(error)) == ("malformed_reply", True)


def test_a_process_left_behind_is_not_waited_for(tmp_path: Path) -> None:
    """It inherits the pipes, and would hold the trial for as long as it lives."""
    target = CommandTarget(["/bin/sh", "-c", "sleep 60 & echo 1"], tmp_path)
    started = time.monotonic()
    assert _run(target).output == 1
    assert time.monotonic() - started < 30


def test_cancellation_kills_the_whole_family(tmp_path: Path) -> None:
    """A child that survives would go on calling paid services."""
    code = """
        import os, subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open("pids.tmp", "w").write(f"{os.getpid()} {child.pid}")
        os.rename("pids.tmp", "pids")
        time.sleep(600)
    """

    async def start_and_cancel() -> list[int]:
        task = asyncio.create_task(_python(tmp_path, code).run(None))
        while not (tmp_path / "pids").exists():  # noqa: ASYNC110 - the file is another process's
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return [int(pid) for pid in (tmp_path / "pids").read_text().split()]

    for pid in asyncio.run(start_and_cancel()):
        assert _ends(pid), "a process of the target survived"


def _ends(pid: int) -> bool:
    """True once the process is gone or waits only to be collected."""
    for _ in range(500):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("name", ["no-such-program-here", "./missing.sh", "../bin/missing"])
def test_a_missing_program_is_refused_before_the_run(tmp_path: Path, name: str) -> None:
    """Nothing may be paid or written for a run that cannot call its target."""
    with pytest.raises(InputError, match=f"target command: .*{name}"):
        CommandTarget([name], tmp_path)


def test_a_file_that_cannot_be_executed_is_refused(tmp_path: Path) -> None:
    """It is there, and running it would fail in every trial."""
    (tmp_path / "bot.sh").write_text("#!/bin/sh\necho 1\n")
    with pytest.raises(InputError, match="a program that can be run"):
        CommandTarget(["./bot.sh"], tmp_path)
    (tmp_path / "bot.sh").chmod(0o755)
    assert _run(CommandTarget(["./bot.sh"], tmp_path)).output == 1


def test_an_empty_command_is_refused(tmp_path: Path) -> None:
    """It names no program."""
    with pytest.raises(InputError, match="the program and its arguments"):
        CommandTarget([], tmp_path)


def test_its_identity_follows_the_script(tmp_path: Path) -> None:
    """The program's own file is the script, not the interpreter."""
    one = _python(tmp_path, "print(1)").identity
    two = _python(tmp_path, "print(2)").identity
    assert one.reference == (sys.executable, "bot.py")
    assert one.source != two.source
    assert CommandTarget(["/bin/sh", "-c", "echo 1"], tmp_path).identity.kind == "command"


def test_no_program_outlives_a_process_that_leaves(tmp_path: Path) -> None:
    """Nobody waits for the call, and nobody is left who could kill the program later."""
    host = textwrap.dedent("""
        import sys, time
        from pathlib import Path
        from assay.tasks.targets import CommandTarget

        code = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
        CommandTarget([sys.executable, "-c", code], Path.cwd()).start("1", lambda receipt: receipt)
        while not (Path("pid").exists() and Path("pid").read_text()):
            time.sleep(0.02)
    """)
    subprocess.run([sys.executable, "-c", host], cwd=tmp_path, check=True, timeout=120)
    assert _ends(int((tmp_path / "pid").read_text()))
