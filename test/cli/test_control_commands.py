"""Changing a controller in another process, on DDS: what the commands say is what it does."""

import pytest
from console_processes import CONTROLLERS, poll

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("servo")]


def rows(here, *words):
    return {row["name"]: row for row in here.json(*words)}


def test_tasks(here):
    before = rows(here, "task", "list")
    assert before["Posture"]["state"] == "enable"
    assert before["RightHandPosition"]["type"] == "CartesianPosition"
    assert before["RightHandPosition"]["error_norm"] >= 0.0
    assert here.run("task", "set", "Posture", "sense")[0] == "Posture is set to sense\n"
    assert here.run("task", "priority", "Posture", 3)[0] == "Posture has the priority 3\n"
    now = rows(here, "task", "list")["Posture"]
    assert (now["state"], now["priority"]) == ("sense", 3)
    table = here.run("task", "list")[0].splitlines()
    assert table[1].split()[:4] == ["Posture", "JointPosition", "sense", "3"]  # highest first
    here.run("task", "set", "Posture", before["Posture"]["state"])
    here.run("task", "priority", "Posture", before["Posture"]["priority"])
    assert here.json("param", "get", "Posture.priority")["value"] == before["Posture"]["priority"]


def test_constraints(here):
    assert rows(here, "constraint", "list")["Torso"] == {
        "name": "Torso",
        "type": "Coactuation",
        "state": "enable",
    }
    here.run("constraint", "set", "Torso", "force_disable", "--controller", "cli_test")
    assert rows(here, "constraint", "list")["Torso"]["state"] == "force_disable"
    here.run("constraint", "set", "Torso", "enable")
    assert "enable" in here.run("constraint", "list")[0]


def test_whole_body_controllers(here):
    def active():
        return [name for name, row in rows(here, "wbc", "list").items() if row["active"]]

    assert rows(here, "wbc", "list")["Damped"] == {
        "name": "Damped",
        "type": "WBOSC",
        "active": False,
    }
    assert active() == ["Exact"]
    assert here.run("wbc", "set", "Damped")[0] == "Damped is active\n"
    assert active() == ["Damped"]
    assert here.json("param", "get", "whole_body_controller.active")["value"] == "Damped"
    shown = here.json("topic", "echo", "/diagnostics", "--count", 1)["status"][0]["values"]
    assert {"key": "whole-body controller", "value": "Damped"} in shown
    assert "active: Damped" in here.run("save")[0]
    assert here.run("wbc", "list")[0].splitlines()[2].split() == ["Damped", "WBOSC", "active"]
    here.run("wbc", "set", "Exact", "--controller", "cli_test")
    assert active() == ["Exact"]


def test_events(here):
    assert here.run("event", "disable", "Fast")[0] == "Fast is disabled\n"
    assert here.json("param", "get", "Fast.enabled")["value"] is False
    assert here.run("event", "enable", "Fast")[0] == "Fast is enabled\n"
    assert here.json("param", "get", "Fast.enabled")["value"] is True


ELBOW = "- {name: Elbow, type: CartesianPosition, body: right_elbow, kp: 30, kd: 10}"
NEAR = "{name: Near, expression: Elbow.error_norm < 0.1}"


def test_tasks_and_events_come_and_go(here, tmp_path):
    """The servo is another process than the one that is asked, and both know the same."""
    task, event = tmp_path / "elbow.yaml", tmp_path / "near.yaml"
    task.write_text(ELBOW)
    event.write_text(NEAR)
    for _ in range(3):
        assert here.run("task", "add", task, "--priority", 2)[0] == "Elbow is added\n"
        row = rows(here, "task", "list")["Elbow"]
        assert (row["type"], row["state"], row["priority"]) == ("CartesianPosition", "enable", 2)
        assert here.run("event", "add", event)[0] == "Near is added\n"
        poll(lambda: here.json("param", "get", "Near.count")["value"] == 1)  # the servo says so
        here.run("param", "set", "Elbow.kp", 55)
        assert here.json("param", "get", "Elbow.kp")["value"] == [55.0, 55.0, 55.0]
        poll(lambda: rows(here, "task", "list")["Elbow"]["error_norm"] < 0.05)
        shown = here.json("topic", "echo", "Elbow/actual_position", "--count", 1)
        assert 0.5 < shown["z"] < 1.5
        (told,) = here.json("explain", "--task", "Elbow")["tasks"]
        assert (told["name"], len(told["asked"])) == ("Elbow", 3)
        place = {key: value for key, value in shown.items() if key in ("x", "y", "z")}
        goal = f"{{task: Elbow, goal: {list(place.values())}, duration: {{nanosec: 100000000}}}}"
        # a servo that was held up may be safe for a while, and refuses goals
        poll(lambda goal=goal: here.attempt("action", "send", "move_task", goal)[0] == 0)
        saved = here.run("save")[0]
        assert "name: Elbow" in saved
        assert "kp: 55" in saved
        assert "looks at it" in here.run("task", "remove", "Elbow", code=1)[1]
        assert here.run("event", "remove", "Near")[0] == "Near is removed\n"
        assert here.run("task", "remove", "Elbow")[0] == "Elbow is removed\n"
        assert "Elbow" not in rows(here, "task", "list")
        assert "unknown task 'Elbow'" in here.run("task", "remove", "Elbow", code=1)[1]
    assert "Elbow" not in here.run("save")[0]


def test_what_is_wrong_with_an_entry_is_told_at_its_place_in_the_file(here, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("{name: Wrong, type: CartesianPositon, body: right_elbow}")
    for part in ("task", "constraint", "event"):
        told = here.run(part, "add", wrong, code=1)[1]
        assert told.startswith(f"{wrong}:1:"), part
        assert "<text>" not in told
    assert "did you mean 'CartesianPosition'" in here.run("task", "add", wrong, code=1)[1]


def test_constraints_come_and_go(here, tmp_path):
    entry = tmp_path / "hold.yaml"
    entry.write_text("- {name: Hold, type: PointContact, body: left_wrist_yaw}")
    jacobians = ("service", "call", "getConstraintJacobianMatrices", "{constraint: Hold}")
    for _ in range(2):
        added = here.run("constraint", "add", entry, "--state", "disable")[0]
        assert added == "Hold is added\n"
        row = rows(here, "constraint", "list")["Hold"]
        assert (row["type"], row["state"]) == ("PointContact", "disable")
        here.run("constraint", "set", "Hold", "enable")
        found = here.run(*jacobians)[0]
        assert "rows: 3" in found
        assert "name: Hold" in here.run("save")[0]
        assert "taken by one of the constraints" in here.run("constraint", "add", entry, code=1)[1]
        assert here.json("explain", "--task", "Posture")["tasks"]
        assert here.run("constraint", "remove", "Hold")[0] == "Hold is removed\n"
        assert "Hold" not in rows(here, "constraint", "list")
    assert "Hold" not in here.run("save")[0]


def test_what_cannot_be_added_is_told(here, tmp_path):
    task = tmp_path / "elbow.yaml"
    task.write_text(ELBOW.replace("right_elbow", "right_elbo"))
    assert "unknown body 'right_elbo'" in here.run("task", "add", task, code=1)[1]
    assert "elsewhere.yaml: " in here.run("task", "add", tmp_path / "elsewhere.yaml", code=1)[1]
    assert "Elbow" not in rows(here, "task", "list")


def test_save(here, tmp_path):
    path = tmp_path / "saved.yaml"
    here.run("param", "set", "RightHandPosition.kp", 77)
    poll(lambda: here.json("param", "get", "RightHandPosition.kp")["value"] == [77.0] * 3)
    assert here.run("save", path)[0] == f"saved to {path}\n"
    assert here.json("check", path)["ok"] is True

    def is_printed_alike():
        here.run("save", path, "--force")
        return here.run("save")[0] == path.read_text()

    poll(is_printed_alike)  # a servo that was held up latches its goals anew
    described = here.json("describe", path)["tasks"]["RightHandPosition"]["parameters"]
    assert described["kp"] == [77.0] * 3
    original = here.json("describe", CONTROLLERS / "hand.yaml")["tasks"]["RightHandPosition"]
    assert described["goal_position"] != original["parameters"]["goal_position"]  # latched
    _, err = here.run("save", path, code=1)
    assert "exists; it is replaced with --force" in err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("task", "set", "Postur", "sense"), "did you mean 'Posture'"),
        (("task", "set", "Posture", "off"), "out of enable, disable, sense"),
        (("task", "priority", "Posture", 1001), "too large"),
        (("constraint", "set", "Tors", "enable"), "did you mean 'Torso'"),
        (("wbc", "set", "Dampt"), "did you mean 'Damped'"),
        (("event", "enable", "Fas"), "did you mean 'Fast'"),
        (("save", "/nowhere/there.yaml"), "expected one below"),
        (("save", CONTROLLERS / ".." / "there.yaml"), "expected one without .."),
        (("save", CONTROLLERS / "nowhere" / "there.yaml"), "there is no folder"),
        (("task", "list", "--controller", "cli_tst"), "there is no service"),
    ],
)
def test_refused(here, words, reason):
    out, err = here.run(*words, code=1)
    assert out == ""
    assert reason in err
