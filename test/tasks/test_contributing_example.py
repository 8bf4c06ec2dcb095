"""The task that CONTRIBUTING.md shows works as it is written."""

import re

import numpy as np
from robots_for_tests import REPOSITORY, configured, dreamer, random_state, updated

from controlit_ros.tasks import CompoundTask


def test_the_example_is_a_task(rng):
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    source = re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1)
    scope = {}
    exec(source, scope)
    robot = dreamer()
    task = configured(scope["ElbowHeight"]("height", robot), body="left_elbow", kp=4.0)
    compound = CompoundTask([task])
    model = updated(robot, random_state(robot, rng))
    task.update(model, task.inactive)
    task.swap()
    compound.compute(1e-3)
    height = model.placement(robot.frame_id("left_elbow")).translation[2]
    np.testing.assert_allclose(task.actual.value, [height])
    np.testing.assert_allclose(task.command.value, [4.0 * (1.0 - height)])
    assert len(source.splitlines()) <= 34
