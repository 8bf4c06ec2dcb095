"""`controlit tune`: a table, a file that states the gains, a picture."""

import json
import sys

import pytest
from one_joint import pendulum

from controlit_ros.configuration import loader
from controlit_ros.configuration.yaml_reader import read_yaml
from controlit_ros.nodes.building import load_stack
from controlit_ros.tuning.tuner import Tuner, Tuning

pytestmark = pytest.mark.simulation


@pytest.fixture
def times_read(monkeypatch):
    """Count how often text is read as YAML to be loaded."""
    texts = []

    def counted(text):
        texts.append(text)
        return read_yaml(text)

    monkeypatch.setattr(loader, "read_yaml", counted)
    return texts


def test_a_table_and_a_file_and_a_picture(controlit, tmp_path, times_read):
    file = pendulum(tmp_path)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    target, picture = folder / "tuned.yaml", folder / "steps.png"
    code, out, err = controlit("tune", file, "--output", target, "--plot", picture)
    assert code == 0, err
    assert len(times_read) == 1
    assert "Posture" in out
    assert "64, 16" in out
    assert "Idle is left out: it is in the state sense" in out
    assert "all recommended gains together: every step fades" in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "# A pendulum" in target.read_text()
    assert "# my gains" in target.read_text()
    assert load_stack(target).tasks.tasks[0].controller.kp.value[0] > 64.0
    assert load_stack(target).robot.real_joints == ("hinge",)
    code, _, err = controlit("tune", file, "--output", target)
    assert code == 1
    assert "exists; name another by --output, or --force" in err
    assert controlit("tune", file, "--output", target, "--write")[0] == 2


def test_what_was_set_for_the_trial_does_not_get_into_the_file(controlit, tmp_path, monkeypatch):
    monkeypatch.setattr(Tuner, "tune", lambda _self, _names: Tuning((), {}, together=False))
    file, folder = pendulum(tmp_path), tmp_path / "elsewhere"
    folder.mkdir()
    stated = load_stack(file).configuration.robot_description
    other = tmp_path / "other.urdf"
    other.write_text((tmp_path / stated).read_text())
    words = ["--set", f"robot_description={other.name}", "--set", "tasks.Idle.kp=31"]
    code, _, err = controlit("tune", file, *words, "--output", folder / "tuned.yaml")
    assert code == 0, err
    stack = load_stack(folder / "tuned.yaml")
    assert stack.configuration.robot_description == str(tmp_path / stated)
    assert [task.controller.kp.value[0] for task in stack.tasks.tasks] == [64.0, 1.0]


def test_what_came_while_gains_were_tried_stays(controlit, tmp_path, monkeypatch):
    target = tmp_path / "tuned.yaml"

    def tuned(_self, _names):
        target.write_text("mine")
        return Tuning((), {}, together=False)

    monkeypatch.setattr(Tuner, "tune", tuned)
    code, _, err = controlit("tune", pendulum(tmp_path), "--output", target)
    assert code == 1
    assert f"{target} exists; name another by --output, or --force" in err
    assert target.read_text() == "mine"


def test_a_robot_that_is_not_simulated_is_refused_in_words_of_this_command(controlit, tmp_path):
    file = pendulum(tmp_path)
    words = ("tune", file, "--set", "robot_interface_type=Benchmark")
    code, _, err = controlit(*words)
    assert code == 1
    assert "found the robot interface 'Benchmark', expected 'MuJoCo': gains are tried" in err
    assert err.endswith("--set robot_interface_type=MuJoCo simulates the robot\n")
    assert "--fast" not in err
    _, _, err = controlit(*words, "--set", "robot_interface.posture={}")
    assert err.endswith("simulates the robot, once robot_interface has no keys of Benchmark\n")


def test_a_file_that_states_a_settling_time_goes_on_doing_so(controlit, tmp_path):
    file = pendulum(tmp_path, "settling_time: 0.8, damping_ratio: 0.9")
    before = file.read_text()
    code, out, _ = controlit("tune", file, "--json", "--write", "--task", "Posture")
    assert code == 0
    found = json.loads(out)["tasks"]["Posture"]
    law = load_stack(file).tasks.tasks[0].controller
    assert law.kp.value == pytest.approx(found["recommended"]["kp"], rel=0.02)
    assert law.damping_ratio.value == 0.9
    assert "kp: 64" not in file.read_text()
    changed = [
        a for a, b in zip(before.splitlines(), file.read_text().splitlines(), strict=True) if a != b
    ]
    assert len(changed) == 1


def test_without_matplotlib_there_is_no_picture(controlit, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "controlit_ros.tuning.step_picture", None)
    file = pendulum(tmp_path)
    code, out, err = controlit("tune", file, "--plot", tmp_path / "steps.png")
    assert code == 0
    assert "controlit[report]" in err
    assert "Posture" in out
    assert not (tmp_path / "steps.png").exists()
