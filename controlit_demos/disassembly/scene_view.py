"""SceneView: where the bodies of a simulated scene truly are."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from controlit_demos.running.demo_error import DemoError
from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.scene_channel import SceneReader
from controlit_ros.robots.simulated_scene import POSE_SIZE


class SceneView(Protocol):
    """Looks at a scene from outside the controller."""

    def read(self) -> Mapping[str, Array] | None:
        """Return position [m] and quaternion xyzw of each body, `(7,)`, `None` without news."""

    def close(self) -> None:
        """Stop looking; idempotent."""


def scene_view(stack: ControllerStack) -> SceneView:
    """Return a view of the scene of a controller's simulator, in this process or its own.

    Raises:
        DemoError: Its world has no scene.
        ControlItError: The robot cannot be simulated.
    """
    interface = simulated_robot(stack)
    try:
        simulation = interface.simulation
    except ControlItError:
        bodies = Simulation(interface.setup, interface.options()).scene_bodies
        view: SceneView = SceneReader(bodies, interface.channel)
    else:
        bodies = simulation.scene_bodies
        view = _OwnScene(simulation)
    if not bodies:
        raise DemoError("found no scene with bodies that move, expected simulator.scene")
    return view


class _OwnScene:
    """The scene of a simulation in this process."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def read(self) -> Mapping[str, Array]:
        poses = np.zeros((len(self._simulation.scene_bodies), POSE_SIZE))
        self._simulation.scene_poses(poses)
        return dict(zip(self._simulation.scene_bodies, poses, strict=True))

    def close(self) -> None:
        pass
