"""What displays are shown of a task, without a servo, and what is drawn of it."""

import numpy as np
from robots_for_tests import random_state

from controlit_ros.controllers.command import Command
from controlit_ros.introspection import RobotMirror, SceneSource
from controlit_ros.introspection.task_markers import TaskMarkers
from controlit_ros.servo import Outbox

WEIGHT = 100.0
"""Force that is drawn as one metre [N]."""


class Keeper:
    """A display that keeps what it is shown."""

    is_wanted = True

    def __init__(self):
        self.scenes = []

    def show(self, scene):
        self.scenes.append(scene)


def observed(task, rng, state=None):
    """Return the state of a task's robot, and a look at what a display is shown of them."""
    robot = task.robot
    state = random_state(robot, rng) if state is None else state
    outbox, keeper = Outbox(), Keeper()
    mirror = RobotMirror(robot, state, ())
    command = Command(robot.command_joints)
    SceneSource(mirror, [task], command, lambda: False, outbox, [keeper])

    def look(meanwhile=lambda: None):
        for sampler in outbox._samplers:
            sampler.is_wanted = True
        outbox.offer_all(1.0 + len(keeper.scenes))
        meanwhile()
        outbox.deliver_all()
        return keeper.scenes[-1]

    return state, look


def drawn(scene):
    """Return the markers of the first task of a scene, by number."""
    robot = scene.mirror.model.robot_model.description
    sketches = TaskMarkers(robot, WEIGHT).draw(scene.tasks[0], scene.mirror)
    found = [mark for sketch in sketches for mark in sketch.markers]
    by_number = {mark.key.id: mark for mark in found}
    assert len(by_number) == len(found)
    return by_number


def places(mark):
    """Return the points of a marker, `(k, 3)`."""
    return np.array(mark.points)
