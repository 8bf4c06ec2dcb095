"""Robots in MuJoCo that push on a wall without friction."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

from controlit_ros.nodes.building import load_stack
from controlit_ros.tasks import CommandKind

CONFIG = REPOSITORY / "config"
RADIUS = 0.03  # [m] of the ball at the end of the hand
THICKNESS = 0.02  # [m] half of the wall's
STEADY = {"soft_start_time": 0.0, "reconfiguration_time": 0.0}
PERIOD = 10  # [cycles] from look to look

SCENE = """
  <worldbody>
    {wall}
    <body name="{body}">
      <geom type="sphere" size="{radius}" pos="{point}" mass="0" contype="0" conaffinity="4"
        condim="1"/>
    </body>
  </worldbody>
</mujoco>"""
WALL = (
    '<geom type="box" size="{thickness} 1 1" pos="{x} {y} {z}" contype="4" conaffinity="0" '
    'condim="1" solref="0.005 1" solimp="0.99 0.999 0.001 0.5 2"/>'
)


class Pusher(NamedTuple):
    """A robot that pushes along the x axis of the world.

    Attributes:
        file: Of its configuration.
        hand: The link that pushes.
        point: Where on it, in its frame [m].
        position_task: The task that leads this hand.
        moving_task: The task whose goal is moved meanwhile.
        direction: In which its goal is moved, unit length.
    """

    file: Path
    hand: str
    point: tuple[float, float, float]
    position_task: str
    moving_task: str
    direction: tuple[float, float, float]


TALOS = Pusher(
    CONFIG / "talos" / "stand.yaml", "arm_left_7_link", (0.0, 0.0, -0.08),
    "LeftHandPosition", "RightHandPosition", (0.48, 0.36, 0.8),
)  # fmt: skip
PANDA = Pusher(
    CONFIG / "panda" / "reach.yaml", "panda_hand", (0.0, 0.0, 0.1),
    "HandPosition", "HandPosition", (0.0, 0.8, 0.6),
)  # fmt: skip


@cache
def touching_point(pusher: Pusher) -> np.ndarray:
    """Return where the hand begins, in the world [m]."""
    stack = load_stack(str(pusher.file), {"robot_interface.mode": "in_process"})
    stack.robot_interface.activate()
    model = stack.create_model().robot_model
    stack.robot_interface.read(model.state)
    model.update(model.state)
    return model.placement(stack.robot.frame_id(pusher.hand)).act(np.array(pusher.point))


def write_scene(pusher: Pusher, folder: Path, gap: float | None) -> Path:
    """Write the robot's floor and a wall at a distance from the hand; `None`: no wall."""
    floor = pusher.file.parent / "floor.xml"
    text = floor.read_text() if floor.exists() else '<mujoco model="wall"></mujoco>'
    x, y, z = touching_point(pusher)
    place = {"x": x + RADIUS + THICKNESS + (gap or 0.0), "y": y, "z": z, "thickness": THICKNESS}
    scene = SCENE.format(
        wall="" if gap is None else WALL.format(**place),
        body=pusher.hand,
        radius=RADIUS,
        point=" ".join(map(str, pusher.point)),
    )
    file = folder / "wall.xml"
    file.write_text(text.rpartition("</mujoco>")[0] + scene)
    return file


def pushing(
    pusher: Pusher,
    folder: Path,
    *,
    level: int,
    force: float,
    gap: float | None = 0.0,
    limits: bool = False,
    axes: tuple[str, ...] = ("y", "z"),
    controller: Mapping[str, Any] | None = None,
    **task: Any,
) -> SimulatedHands:
    """Return a robot that is about to push.

    Args:
        pusher: Which, and where.
        folder: For the scene.
        level: Priority of the push.
        force: To push with [N].
        gap: From the hand to the wall [m]; `None`: there is none.
        limits: Whether a `JointLimit` stands above all.
        axes: What is left to the task that leads the hand.
        controller: Parameters of the controller, and its `type`.
        **task: Parameters of the push.
    """
    scene = write_scene(pusher, folder, gap)
    settings = dict(controller or {})
    kind = settings.pop("type", "WBOSC")

    def edit(data: Any) -> None:
        data.setdefault("simulator", {})["scene"] = str(scene)
        entry = {"body": pusher.hand, "control_point": list(pusher.point), "axes": ["x"]}
        entry |= {"goal_wrench": [force, 0, 0, 0, 0, 0], "max_rate": 300.0, **task}
        data["tasks"].append({"name": "Push", "type": "ExternalForce", **entry})
        data["compound_task"].append({"name": "Push", "priority": level})
        for other in data["tasks"]:
            if other["name"] == pusher.position_task:
                other["axes"] = list(axes)
        if limits:
            data["tasks"].append({"name": "Limits", "type": "JointLimit", "margin": 1e-3})
            data["compound_task"].append({"name": "Limits", "priority": 100})
        data["parameters"]["whole_body_controller_type"] = kind
        if kind == "WholeBodyQP":
            data.pop("whole_body_controller", None)
        data.setdefault("whole_body_controller", {}).update(settings)

    return SimulatedHands(pusher.file, edit, STEADY)


def wall_force(run: SimulatedHands) -> float:
    """Return what the wall feels [N], by MuJoCo."""
    simulation = run.stack.robot_interface.simulation
    found, total = np.zeros(6), 0.0
    for i in range(simulation.data.ncon):
        if simulation.data.contact[i].dim == 1:
            mujoco.mj_contactForce(simulation.model, simulation.data, i, found)
            total += found[0]
    return total


def errors(run: SimulatedHands) -> dict[str, np.ndarray]:
    """Return how far every task is off its goal, but for forces and limits."""
    return {
        name: task.error.value.copy()
        for name, task in run.tasks.items()
        if task.command_kind is CommandKind.ACCELERATION and not task.is_unilateral
    }


class Record(NamedTuple):
    """What was seen, look after look.

    Attributes:
        forces: `(n,)` on the wall [N].
        errors: Of every task.
        speeds: `(n,)` of the hand along the push [m/s].
    """

    forces: np.ndarray
    errors: list[dict[str, np.ndarray]]
    speeds: np.ndarray


def play(run: SimulatedHands, pusher: Pusher, seconds: float, amplitude: float) -> Record:
    """Let it push while another task moves to and fro."""
    run.advance(2)
    moving, push = run.tasks[pusher.moving_task], run.tasks["Push"]
    start = moving.goal.value.copy()
    forces, seen, speeds = [], [], []
    looks = round(seconds * 1000 / PERIOD)
    for look in range(looks):
        way = amplitude * 0.5 * (1.0 - np.cos(2.0 * np.pi * look / looks))
        moving.goal.set(start + way * np.array(pusher.direction))
        run.advance(PERIOD)
        forces.append(wall_force(run))
        seen.append(errors(run))
        speeds.append(push.active.velocity[0])
    return Record(np.array(forces), seen, np.array(speeds))
