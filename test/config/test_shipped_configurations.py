"""Every configuration file that is shipped builds."""

from pathlib import Path

import numpy as np
import pytest

from controlit_ros.nodes.building import load_stack

CONFIG = Path(__file__).parents[2] / "config"
FILES = sorted(CONFIG.rglob("*.yaml"))


def task(stack, name):
    return next(task for task in stack.tasks.tasks if task.name == name)


def test_there_are_files():
    assert {"hands.yaml", "hands_3d.yaml", "hands_published_gains.yaml"} <= {f.name for f in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CONFIG)))
def test_builds_without_warnings(path):
    stack = load_stack(path)
    assert stack.tasks.tasks
    assert not stack.warnings


@pytest.mark.parametrize(
    ("name", "kp"),
    [
        ("Posture", 60.0),
        ("RightHandOrientation", 60.0),
        ("LeftHandOrientation", 60.0),
        ("RightHandPosition", 64.0),
        ("LeftHandPosition", 64.0),
    ],
)
def test_published_gains(name, kp):
    stack = load_stack(CONFIG / "dreamer" / "hands_published_gains.yaml")
    controller = task(stack, name).controller
    assert (controller.kp.value == kp).all()
    assert (controller.kd.value == 3.0).all()
    assert (controller.ki.value == 0.0).all()
    assert np.all(controller.max_velocity.value == 0.0)


@pytest.mark.parametrize("name", ["hands.yaml", "hands_published_gains.yaml", "hands_3d.yaml"])
def test_levels_of_the_papers_first_configuration(name):
    stack = load_stack(CONFIG / "dreamer" / name)
    priorities = {t.name: t.priority.value for t in stack.tasks.tasks}
    assert priorities.pop("Posture") == 0
    assert set(priorities.values()) == {1}
    assert len(priorities) == 4
