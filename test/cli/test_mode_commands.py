"""`controlit mode` against a controller whose servo is another process, on DDS."""

from xml.etree import ElementTree as ET

import pytest
from console_processes import CONTROLLERS

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("servo")]

NO_WAY = "no transition leads from hold to rest: expected work"


@pytest.fixture(scope="module")
def servo(shell):
    background = shell.start("run", CONTROLLERS / "modes.yaml")
    background.wait_for_log("-> active")
    return background


@pytest.fixture(autouse=True)
def held(here, servo):
    """Begin each test in the same mode."""
    here.run("mode", "set", "hold")


def test_they_are_listed_with_what_they_take(here):
    rows = {row["name"]: row for row in here.json("mode", "list")}
    assert list(rows) == ["hold", "work", "rest"]
    assert rows["hold"]["present"]
    assert rows["hold"]["commands"] == []
    assert rows["work"] == {
        "name": "work",
        "present": False,
        "allowed": True,
        "reason": "",
        "commands": ["Posture"],
        "description": "follows goals",
    }
    assert (rows["rest"]["allowed"], rows["rest"]["reason"]) == (False, NO_WAY)
    lines = here.run("mode", "list")[0].splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [
        ["hold", "present", "nothing"],
        ["work", "open", "Posture"],
        ["rest", "closed", "nothing"],
    ]


def test_one_is_asked_for_and_confirmed(here):
    assert here.run("mode", "set", "work")[0] == "work is confirmed\n"
    told = here.json("mode", "get")
    assert (told["confirmed"], told["asked"], told["outcome"]) == ("work", "work", "confirmed")
    assert told["commands"] == ["Posture"]
    assert told["closed"] == {"rest": "found that Posture.kp[0] < 1 does not hold"}
    assert here.run("mode", "get")[0].splitlines() == [
        "work",
        "rest is closed: found that Posture.kp[0] < 1 does not hold",
    ]


def test_a_guard_sees_the_parameters_of_the_servo(here):
    here.run("mode", "set", "work")
    here.run("param", "set", "Posture.kp", "0.5")
    assert here.run("mode", "get")[0] == "work\n"  # nothing is closed
    assert here.run("mode", "set", "rest")[0] == "rest is confirmed\n"
    here.run("param", "set", "Posture.kp", "64")


def test_what_cannot_be_is_told_and_changes_nothing(here):
    for mode, why in (("rest", NO_WAY), ("wrok", "did you mean 'work'")):
        _, err = here.run("mode", "set", mode, code=1)
        assert why in err
    assert here.json("mode", "get")["confirmed"] == "hold"


def test_commands_are_refused_with_the_mode(here):
    _, err = here.run("task", "set", "Posture", "sense", code=1)
    assert "Posture.operational_state is not taken in mode hold" in err
    _, err = here.run("task", "priority", "Posture", 3, code=1)
    assert "not taken in mode hold" in err
    _, err = here.run("constraint", "set", "Torso", "disable", code=1)
    assert "not taken in mode hold" in err


def test_who_does_not_wait_is_told_so(here):
    out, _ = here.run("mode", "set", "work", "--no-wait")
    assert out in ("work is asked for\n", "work is confirmed\n")
    assert here.run("mode", "set", "work")[0] == "work is confirmed\n"


def test_they_are_drawn(here, tmp_path):
    file = tmp_path / "modes.svg"
    assert here.run("mode", "picture", file)[0] == f"{file} is written\n"
    elements = [e for e in ET.fromstring(file.read_text()).iter() if e.tag.endswith("}text")]
    assert {"hold", "work", "rest"} <= {"".join(e.itertext()) for e in elements}
    assert here.run("mode", "picture", "--dot")[0].startswith("digraph")
