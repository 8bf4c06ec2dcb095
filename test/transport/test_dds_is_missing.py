"""Without Cyclone DDS everything but that transport works, and it says why it does not."""

import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from patience import GENEROUS

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
WITHOUT = (
    "import sys; sys.modules['cyclonedds'] = None; "
    "from controlit_ros.cli.main import main; sys.exit(main(sys.argv[1:]))"
)
REASON = "the library cyclonedds is not installed"


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        capture_output=True,
        text=True,
        timeout=GENEROUS,
        check=False,
    )


@pytest.mark.parametrize("arguments", [("topic", "list"), ("topic", "list", "--transport", "dds")])
def test_who_needs_it_is_told_why_and_what_else_there_is(monkeypatch, arguments):
    monkeypatch.delenv("CONTROLIT_TRANSPORT", raising=False)
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    done = run(*arguments)
    assert done.returncode == 1
    assert done.stderr.startswith(f"transport 'dds' cannot be used here: {REASON}")
    assert "wheels for Python 3.10 to 3.13" in done.stderr
    assert "Traceback" not in done.stderr


def test_plugins_tell_it():
    done = run("plugins", "list")
    assert done.returncode == 0
    (line,) = [line for line in done.stdout.splitlines() if REASON[:20] in line]
    assert "dds" in line


def test_other_commands_do_without_it():
    done = run("check", str(ROOT / "config" / "trikey" / "drive.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("python", "system", "machine", "is_wanted"),
    [
        *((python, "linux", "x86_64", True) for python in ("3.10", "3.11", "3.12", "3.13")),
        ("3.14", "linux", "x86_64", False),
        ("3.15", "linux", "x86_64", False),
        ("3.12", "linux", "aarch64", False),
        ("3.12", "darwin", "arm64", True),
        ("3.12", "darwin", "x86_64", True),
        ("3.14", "darwin", "arm64", False),
    ],
)
def test_it_is_required_only_where_it_has_wheels(python, system, machine, is_wanted):
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 reads no TOML")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [Requirement(line) for line in project["dependencies"]]
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": system,
        "platform_machine": machine,
    }
    (found,) = [one for one in wanted if one.name == "cyclonedds"]
    assert found.marker is not None
    assert found.marker.evaluate(environment) == is_wanted
