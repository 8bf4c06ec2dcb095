"""Random robots whose bodies are balls, bolted to the world, and what becomes of them."""

from typing import Any, NamedTuple

import numpy as np
from robots_for_tests import configured, keep_constraints, random_state, write_robot

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.model import RobotDescription, RobotState

RADIUS = 0.05  # [m] of each body
PERIOD = 1e-3  # [s]
BALL = f'<collision><geometry><sphere radius="{RADIUS}"/></geometry></collision></link>'
TREE = (0, 1, 2, 0, 4, 5)  # two arms of three joints
KINDS = ("revolute", "revolute", "prismatic", "revolute", "continuous", "revolute")


class Shaped(NamedTuple):
    """A robot and its model at a random state."""

    robot: RobotDescription
    constraints: ConstraintSet
    model: ConstrainedModel
    state: RobotState


def shaped(rng: np.random.Generator, *, speed: float = 1.0) -> Shaped:
    """Draw a robot with two arms and a state of it."""
    drawn = write_robot(int(rng.integers(2**32)), KINDS, TREE)
    drawn = drawn._replace(urdf=drawn.urdf.replace("</link>", BALL))
    robot = drawn.description()
    base = configured(FlatContact("base", robot), body="link_0")
    robot = robot.with_contacts([base.site])
    constraints = ConstraintSet([base])
    state = random_state(robot, rng, speed=speed)
    state.base_velocity[:] = 0.0
    model = ConstrainedModel(robot, constraints)
    model.update(state)
    keep_constraints(state, model.Jc)
    model.update(state)
    return Shaped(robot, constraints, model, state)


def kept(kind: Any, setup: Shaped, **parameters: object) -> Any:
    """Return a configured inequality."""
    part = kind("kept", setup.robot)
    for name, value in parameters.items():
        part.parameter(name).set(value)
    part.configure(setup.constraints, PERIOD)
    return part


class Rows(NamedTuple):
    """What an inequality wrote."""

    A: np.ndarray
    b: np.ndarray


def written(part: Any, model: ConstrainedModel, width: int) -> Rows:
    """Let an inequality write its rows; those that bound nothing are left out."""
    rows, upper = np.zeros((part.rows, width)), np.full(part.rows, np.inf)
    part.update(model, rows, upper)
    bounds = np.isfinite(upper)
    return Rows(rows[bounds], upper[bounds])


def link_position(setup: Shaped, link: int) -> np.ndarray:
    """Return where a body's ball is [m]."""
    frame = setup.robot.frame_id(f"link_{link}")
    return np.array(setup.model.robot_model.placement(frame).translation)
