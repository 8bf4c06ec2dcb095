"""`controlit check`: every problem, where it is, and never a traceback."""

import json
import os
import re
from pathlib import Path

import pytest

from controlit_ros.kernels.compile import COMPILING_NOTICE

ROOT = Path(__file__).parent.parent.parent
BROKEN = sorted((ROOT / "test" / "configuration" / "broken").glob("*.yaml"))
GOOD = [
    ROOT / "config" / "dreamer" / "hands.yaml",
    ROOT / "test" / "configuration" / "sound.yaml",
    *sorted((Path(__file__).parent / "controllers").glob("hand.yaml")),
]


def expectation(path):
    first = path.read_text(encoding="utf-8").splitlines()[0]
    line, message = re.fullmatch(r"# expect: (\d+): (.+)", first).groups()
    return int(line), message


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_the_mistake_is_told_where_it_is(controlit, path):
    code, out, err = controlit("check", path)
    assert code == 1
    assert "Traceback" not in out + err
    line, message = expectation(path)
    told = [
        re.fullmatch(rf"{re.escape(str(path))}:(\d+):\d+: (.*)", text) for text in out.splitlines()
    ]
    assert all(told), out
    assert any(int(t.group(1)) == line and re.search(message, t.group(2)) for t in told), out
    assert len(told) <= 2, out


@pytest.mark.processes
@pytest.mark.commands
def test_many_files_at_once_in_a_process(shell):
    some = BROKEN[:20]
    out, err = shell.run("check", *some, code=1)
    assert len(out.splitlines()) >= len(some)
    assert err == ""
    for path in some:
        assert f"{path}:" in out


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_files(controlit, path):
    code, out, err = controlit("check", path)
    assert (code, out) == (0, f"{path}: ok\n")
    assert err in ("", f"{COMPILING_NOTICE}\n")


@pytest.mark.release
@pytest.mark.processes
@pytest.mark.commands
def test_what_runs_after_a_first_check_finds_its_kernels(shell, controllers, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    file = controllers / "hand.yaml"
    _, err = shell.run("check", file)
    assert err == f"{COMPILING_NOTICE}\n"
    run = ("run", file, "--set", f"name=checked_{os.getpid()}", "--fast", "--duration", 0.5)
    _, err = shell.run(*run)
    assert "-> active" in err
    assert COMPILING_NOTICE not in err


def _break_down(self, *_arguments):
    raise IndexError("a bug of a plugin")


@pytest.mark.parametrize(
    ("file", "place", "entry", "part"),
    [
        ("hand", "tasks.task.Task.swap", "{name: RightHand", "task 'RightHandPosition'"),
        ("hand", "tasks.joint_position.JointPosition._update", "{name: Pos", "task 'Posture'"),
        (
            "hand",
            "controllers.wbosc.WBOSC.compute_command",
            "{name: Exact",
            "whole-body controller 'Exact'",
        ),
        (
            "still",
            "controllers.wbosc.WBOSC.restart",
            "parameters:",
            "whole-body controller 'whole_body_controller'",
        ),
        ("hand", "model.RobotModel.update", "# One hand", "a part"),
    ],
)
def test_a_part_that_fails_is_told(controlit, controllers, monkeypatch, file, place, entry, part):
    monkeypatch.setattr(f"controlit_ros.{place}", _break_down)
    path = controllers / f"{file}.yaml"
    code, out, _ = controlit("check", path)
    assert code == 1
    lines = path.read_text(encoding="utf-8").splitlines()
    line = next(i for i, text in enumerate(lines, 1) if entry in text)
    assert re.match(rf"{re.escape(str(path))}:{line}:\d+: ", out), out
    assert f"{part} failed when it was tried: IndexError('a bug of a plugin') ({__file__}:" in out
    assert out.rstrip().endswith(f":{_break_down.__code__.co_firstlineno + 1}, in _break_down)")


def test_what_a_part_prints_is_no_result(controlit, controllers, monkeypatch):
    def speak(self):
        print("hello")

    monkeypatch.setattr("controlit_ros.tasks.task.Task.swap", speak)
    code, out, err = controlit("check", controllers / "hand.yaml", "--json")
    assert (code, json.loads(out)["ok"]) == (0, True)
    assert "hello" in err


def test_json(controlit):
    code, out, _ = controlit("check", BROKEN[0], GOOD[0], "--json")
    assert code == 1
    content = json.loads(out)
    assert content["ok"] is False
    assert content["files"] == [str(BROKEN[0]), str(GOOD[0])]
    (problem,) = content["problems"]
    assert problem["file"] == str(BROKEN[0])
    assert (problem["line"], problem["severity"]) == (expectation(BROKEN[0])[0], "error")
    code, out, _ = controlit("check", GOOD[0], "--json")
    assert (code, json.loads(out)["ok"]) == (0, True)


def test_warnings_do_not_fail(controlit, controllers):
    lines = (controllers / "still.yaml").read_text().splitlines()
    (line,) = (number for number, text in enumerate(lines, 1) if "name: Idle" in text)
    code, out, _ = controlit("check", controllers / "still.yaml")
    assert code == 0
    warning = r"warning: tasks\[1\]: 'Idle' is declared but not listed"
    assert re.search(rf"still\.yaml:{line}:\d+: {warning}", out)
    content = json.loads(controlit("check", controllers / "still.yaml", "--json")[1])
    assert content["problems"][0]["severity"] == "warning"
    assert content["problems"][0]["line"] == line


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "found an empty file"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "no UTF-8 text"),
        (b"- 1\n- 2\n", "expected a map"),
        (b"[" * 500, "nested deeper"),
        (b"a: b\n" * 2_000_000, "expected at most"),
        (b"a: &a [*a]\n", ""),
        (b"!!python/object:os.system {}\n", ""),
        (b"name: \x00", ""),
    ],
    ids=["empty", "binary", "list", "deep", "huge", "cycle", "tag", "control"],
)
def test_any_content(controlit, tmp_path, content, text):
    path = tmp_path / "file.yaml"
    path.write_bytes(content)
    code, out, err = controlit("check", path)
    assert code == 1
    assert re.match(rf"{re.escape(str(path))}:\d+:\d+: ", out)
    assert text in out
    assert "Traceback" not in out + err


def test_any_path(controlit, tmp_path):
    for path, text in ((tmp_path, "it is a folder"), (tmp_path / "none.yaml", "no such file")):
        code, out, _ = controlit("check", path)
        assert code == 1
        assert out.startswith(f"{path}:1:1: ")
        assert text in out
    if os.geteuid() != 0:
        secret = tmp_path / "secret.yaml"
        secret.write_text("name: a")
        secret.chmod(0)
        assert "Permission denied" in controlit("check", secret)[1]


def test_a_file_of_a_package_is_found(controlit):
    code, out, _ = controlit("check", "package://controlit/config/dreamer/hands.yaml")
    assert (code, out.splitlines()[-1].split(": ")[-1]) == (0, "ok")


@pytest.mark.parametrize("command", ["check", "describe"])
@pytest.mark.parametrize(
    ("file", "told"),
    [("package://no_such/x.yaml", "no package 'no_such'"), ("http://x/y", "expected package://")],
)
def test_a_reference_that_leads_nowhere_is_told(controlit, command, file, told):
    code, out, err = controlit(command, file)
    assert code != 0
    assert "Traceback" not in out + err
    assert told in " ".join((out + err).replace("│", " ").split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("demo", "slope"),
        ("check", ROOT / "config" / "talos" / "stand.yaml"),
        ("describe", ROOT / "config" / "bolt" / "walk.yaml"),
        ("new", "robot", "package://example-robot-data/robots/talos.urdf"),
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:2])),
)
def test_who_lacks_the_robots_is_told_how_to_get_them(controlit, monkeypatch, arguments):
    monkeypatch.setattr("controlit_ros.resource._prefixes", lambda: iter(()))
    code, out, err = controlit(*arguments)
    assert code != 0
    told = " ".join((out + err).replace("│", " ").split())
    assert "'example-robot-data' is not installed: pip install 'controlit[robots]'" in told
    assert "AMENT_PREFIX_PATH" not in told
