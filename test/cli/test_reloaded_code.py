"""A task's file is edited while the controller runs, its servo in a process of its own."""

import pytest
from console_processes import CONTROLLERS, poll

pytestmark = pytest.mark.processes

CODE = '''
from controlit_ros.tasks.cartesian_position import CartesianPosition

class Shifted(CartesianPosition):
    """A position that is told with an offset."""

    def _update(self, model, state):
        super()._update(model, state)
        state.actual[2] += 0.0
'''
REACH = 2.0  # [m] more than the hand moves, wherever a busy machine lets it go
ENTRY = "{name: Hand, type: Shifted, body: right_wrist_yaw, kp: 64, kd: 16}"


def test_new_code_takes_over_in_both_processes(shell, here, tmp_path, monkeypatch):
    metadata = tmp_path / "shifted_tasks-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: shifted_tasks\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[controlit.tasks]\nShifted = shifted_tasks:Shifted\n"
    )
    file, entry = tmp_path / "shifted_tasks.py", tmp_path / "hand.yaml"
    file.write_text(CODE)
    entry.write_text(ENTRY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    shell.start("run", CONTROLLERS / "hand.yaml").wait_for_log("-> active")
    here.run("task", "add", entry, "--priority", 2, "--state", "sense")
    here.run("param", "set", "Hand.kp", 50)

    def height():
        return here.json("topic", "echo", "Hand/actual_position", "--count", 1)["z"]

    before = height()
    for lift in ("10.0", "30.0", "20.0"):
        file.write_text(CODE.replace("+= 0.0", f"+= {lift}"))
        assert here.run("task", "reload", "Hand")[0] == "Hand is reloaded\n"
        poll(lambda lift=lift: abs(height() - before - float(lift)) < REACH)
    file.write_text(CODE + "    def")
    _, error = here.run("task", "reload", "Hand", code=1)
    assert "shifted_tasks.py:10: " in error
    assert abs(height() - before - 20.0) < REACH
    assert here.json("param", "get", "Hand.kp")["value"] == [50.0] * 3
    here.run("param", "set", "Hand.kp", 40)
    poll(lambda: here.json("param", "get", "Hand.kp")["value"] == [40.0] * 3)
    (told,) = here.json("explain", "--task", "Hand")["tasks"]
    assert (told["name"], told["state"]) == ("Hand", "sense")
    here.run("task", "remove", "Hand")
