"""SceneSight: what a simulated scene looks like from outside, for displays."""

import logging
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.introspection.views import Pose, SolidView
from controlit_ros.model import RobotDescription
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.scene_shapes import SceneShapes, load_scene
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.robots.mujoco_simulation import POSE_SIZE
from controlit_ros.robots.scene_channel import SceneReader

_log = logging.getLogger("controlit.scene")


def scene_sight(stack: ControllerStack) -> "SceneSight | None":
    """Return what sees the scene of a controller's simulator; `None` where it has no such scene."""
    interface = stack.robot_interface
    if isinstance(interface, MuJoCo) and interface.options().scene:
        return SceneSight(interface, stack.robot)
    return None


class SceneSight:
    """Shows the bodies of a simulator's scene: those that move freely where they truly are.

    The file is read when somebody looks for the first time. Bodies named like a link of the robot
    hang on it, and are left out; so are shapes that nothing touches.

    Args:
        interface: The simulator, configured.
        robot: Its robot.
    """

    def __init__(self, interface: MuJoCo, robot: RobotDescription) -> None:
        self._interface = interface
        self._robot = robot
        self._solids: dict[str, SolidView] | None = None
        self._reader: SceneReader | None = None

    def solids(self) -> Mapping[str, SolidView]:
        """Return the bodies by name, as they are now."""
        if self._solids is None:
            self._solids = self._read()
        for name, pose in self._poses().items():
            if name in self._solids:
                solid = self._solids[name]
                self._solids[name] = solid._replace(pose=Pose(pose[:3], pose[3:]))
        return self._solids

    def _read(self) -> dict[str, SolidView]:
        file = self._interface.options().scene
        try:
            model = load_scene(Path(file))
        except ModelError as error:
            _log.warning("%s", error)
            return {}
        found = {}
        for number in range(model.nbody):
            name = model.body(number).name
            if name and name not in self._robot.frame_names and model.body_geomnum[number]:
                try:
                    shapes = SceneShapes.of(model, name)
                except ModelError as error:  # nothing of it can be touched, or drawn
                    _log.info("%s: %s", file, error)
                else:
                    found[name] = SolidView(Pose(shapes.position, shapes.orientation), shapes.parts)
        return found

    def _poses(self) -> Mapping[str, Array]:
        bodies = self._interface.scene_bodies
        if not bodies:
            return {}
        try:
            simulation = self._interface.simulation
        except ControlItError:
            return self._told(bodies)
        poses = np.zeros((len(bodies), POSE_SIZE))
        simulation.scene_poses(poses)
        return dict(zip(bodies, poses, strict=True))

    def _told(self, bodies: tuple[str, ...]) -> Mapping[str, Array]:
        """Return what the simulator's process tells, if there is news."""
        if self._reader is None:
            self._reader = SceneReader(bodies, self._interface.channel)
        return self._reader.read() or {}
