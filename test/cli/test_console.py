"""The command line as such: start-up, help, errors."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from console_processes import poll
from installed_console import installed_console

from controlit_ros import __version__
from controlit_ros.cli.application import GROUP
from controlit_ros.installed import plugins, summary

COMMANDS = [
    ["check"], ["compute"], ["demo"], ["describe"], ["run"], ["simulate"],
    ["topic", "list"], ["topic", "echo"], ["topic", "pub"], ["topic", "hz"],
    ["action", "list"], ["action", "send"],
    ["service", "list"], ["service", "call"], ["event", "echo"], ["plugins", "list"],
    ["param", "list"], ["param", "get"], ["param", "set"], ["node", "list"], ["node", "info"],
]  # fmt: skip


@pytest.mark.processes
def test_help_imports_nothing_heavy():
    code = (
        "import sys; from controlit_ros.cli.main import main; main(['--help']);"
        "heavy = {'numpy', 'pinocchio', 'mujoco', 'cyclonedds', 'numba'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name, entry in plugins(GROUP).items():
        assert f" {name} " in done.stdout
        assert summary(entry)[:40] in done.stdout


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(controlit, words):
    code, out, _ = controlit(*words, "--help")
    assert code == 0
    assert "Usage: controlit " + " ".join(words) in out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["run"], "End after so long [s]."),
        (["run"], "rclpy, dds, local or auto. [default: CONTROLIT_TRANSPORT, or auto]"),
        (["topic", "pub"], "Repeat at this rate [Hz]."),
        (["demo"], "End after so long [s]. [default: its own]"),
        (["record"], "Of the bag. [default: bags/CONTROLLER-TIME]"),
    ],
)
def test_units_and_defaults_in_brackets_are_shown(controlit, words, text):
    _, out, _ = controlit(*words, "--help")
    assert text in " ".join(out.replace("│", " ").split())


@pytest.mark.parametrize("entry", plugins(GROUP).values(), ids=lambda entry: entry.name)
def test_overview_says_what_the_command_says(controlit, entry):
    _, out, _ = controlit(entry.name, "--help")
    assert summary(entry)
    assert summary(entry) in " ".join(out.split())


def test_version(controlit):
    assert controlit("--version") == (0, f"controlit {__version__}\n", "")


@pytest.mark.parametrize(
    ("words", "nearest"),
    [(["chek"], "check"), (["topic", "eco"], "echo"), (["descibe"], "describe")],
)
def test_unknown_commands_suggest_the_nearest(controlit, words, nearest):
    code, _, err = controlit(*words)
    assert code == 2
    assert f"'{nearest}'" in err


def test_unknown_options_and_missing_arguments_are_usage_errors(controlit, controllers):
    assert controlit("check", "--jsn", controllers / "still.yaml")[0] == 2
    assert controlit("check")[0] == 2
    code, _, err = controlit("run", controllers / "still.yaml", "--set", "foo")
    assert code == 2
    assert "KEY=VALUE" in err


@pytest.mark.processes
def test_errors_are_one_line(shell, controllers):
    out, err = shell.run("run", controllers / "hand.yaml", "--transport", "ddz", code=1)
    assert (out, err) == ("", "unknown transport 'ddz' (did you mean 'dds'?)\n")


@pytest.mark.processes
def test_closed_pipe_ends_quietly(controllers):
    done = subprocess.run(
        ["bash", "-c", '"$0" describe "$1" | head -1; exit ${PIPESTATUS[0]}',
         installed_console(),
         str(controllers / "hand.yaml")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "cli_test\n", "")


def has_joined(process):
    """Return whether a process is in a domain of DDS, or has ended."""
    maps = Path(f"/proc/{process.pid}/maps")
    return process.poll() is not None or "/libddsc" in maps.read_text()


@pytest.mark.processes
def test_interruption_while_waiting_is_quiet(shell):
    def interrupted():
        background = shell.start("param", "list")
        poll(lambda: has_joined(background.process))
        code, _ = background.end(signal.SIGINT)
        assert background.out == []
        if code == 1 and any("no controller runs" in line for line in background.err):
            return None  # this process was held up until the command had given up
        return code

    assert poll(interrupted) in (130, -signal.SIGINT)


def test_plugins(controlit):
    code, out, _ = controlit("plugins", "list", "--json")
    assert code == 0
    rows = json.loads(out)
    sound = {(row["kind"], row["name"]) for row in rows if row["description"]}
    assert {
        ("tasks", "CartesianPosition"),
        ("constraints", "Coactuation"),
        ("whole_body_controllers", "WBOSC"),
        ("robot_interfaces", "MuJoCo"),
        ("servo_clocks", "Steady"),
        ("binding_factories", "topic"),
        ("transports", "dds"),
    } <= sound
    assert all(row["error"] is None for row in rows if (row["kind"], row["name"]) in sound)
    assert "WBOSC" in controlit("plugins", "list")[1]


def test_demo_list_and_unknown_name(controlit):
    code, out, _ = controlit("demo", "--list")
    assert code == 0
    assert "hands" in out
    code, _, err = controlit("demo", "hand")
    assert code == 1
    assert "did you mean 'hands'" in err
