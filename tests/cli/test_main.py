"""The frame of the command line: help, version, and one clear line with exit code 2 for every mistake of a user."""

import subprocess
import sys

import pytest

MISTAKES = {
    "no such command": ["mvoe", "start", "31"],
    "no position": ["move"],
    "no such option": ["move", "start", "31", "--tpo", "3"],
    "no roll": ["move", "start"],
    "impossible roll": ["move", "start", "37"],
    "roll of three dice": ["move", "start", "311"],
    "not a position": ["move", "4HPwATDgc", "31"],
    "sixteen checkers": ["move", "XGID=-b----F-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"],
    "no number of plays": ["move", "start", "31", "--top", "many"],
    "no plays at all": ["move", "start", "31", "--top", "0"],
    "no such checkpoint": ["move", "start", "31", "--checkpoint", "nowhere.safetensors"],
    "not a checkpoint": ["move", "start", "31", "--checkpoint", __file__],
    "a folder as checkpoint": ["openings", "--checkpoint", "."],
    "picture into no folder": ["show", "start", "--svg", "no/such/folder/board.svg"],
    "picture of no format": ["show", "start", "--svg", "board"],
    "picture without a name": ["show", "start", "--svg", ""],
    "control characters": ["show", "\x1b[31mstart\n"],
}


@pytest.mark.parametrize("arguments", MISTAKES.values(), ids=MISTAKES)
def test_a_users_mistake_is_one_line_and_exit_code_2(bgai, checkpoint, arguments):
    ours = [] if "--checkpoint" in arguments or arguments[0] != "move" else ["--checkpoint", checkpoint]
    result = bgai(*arguments, *ours)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("bgai") and result.err.count("\n") == 1 and result.err.rstrip("\n").isprintable()


CLOSED = {"<&-": 2, ">&-": 0, "2>&-": 2, "<&- >&- 2>&-": 2}


@pytest.mark.parametrize(("closed", "code"), CLOSED.items(), ids=CLOSED)
def test_a_closed_stream_reads_as_empty_and_swallows_what_is_written(closed, code):
    arguments = "--help" if code == 0 else "no-such-command"
    program = "from bgai.cli.main import main; main()"
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -c "{program}" {arguments} {closed}'], capture_output=True, text=True
    )
    assert done.returncode == code and done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_fault_of_ours_is_not_hidden(bgai, monkeypatch):
    def broken(_):
        raise ValueError("a bug")

    monkeypatch.setattr("bgai.cli.show.parse_position", broken)
    with pytest.raises(ValueError, match="a bug"):
        bgai("show", "start")


def test_a_message_quotes_no_megabyte_and_steers_no_terminal(bgai):
    err = bgai("show", "start", "--svg", "\x1b[31m" + "x" * 10**6).err
    assert len(err) < 2100 and err.rstrip("\n").isprintable() and r"\x1b[31m" in err


def test_the_nearest_command_is_named(bgai):
    assert "did you mean move?" in bgai("mvoe").err


def test_help_lists_the_commands(bgai):
    result = bgai()
    assert result == bgai("--help") and result.code == 0
    assert all(f"  {command} " in result.out for command in ("train", "move", "show"))
    assert "--top" in bgai("move", "--help").out


def test_version(bgai):
    assert bgai("--version").out.startswith("bgai 0.")


def test_a_reader_that_goes_away_is_no_fault():
    command = [sys.executable, "-c", "from bgai.cli.main import main; main()", "--help"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait() == 0


@pytest.mark.parametrize("full", [("stdout",), ("stderr",), ("stdout", "stderr")], ids=" and ".join)
def test_output_to_a_full_disk_ends_with_exit_code_2(full):
    command = [sys.executable, "-c", "from bgai.cli.main import main; main()"]
    with open("/dev/full", "wb", buffering=0) as disk:
        pipes = {name: disk if name in full else subprocess.PIPE for name in ("stdout", "stderr")}
        done = subprocess.run([*command, "--help" if "stdout" in full else "no-such-command"], **pipes)
    assert done.returncode == 2
    assert full != ("stdout",) or done.stderr == b"bgai: [Errno 28] No space left on device\n"
