"""SceneSight: what a simulated scene looks like from outside, for displays."""

import logging
from collections.abc import Mapping
from pathlib import Path

from controlit_ros.introspection.views import Pose, SolidView
from controlit_ros.model import RobotDescription
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.scene_shapes import SceneShapes, load_scene
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.robots.simulated_scene import SimulatedScene

_log = logging.getLogger("controlit.scene")


def scene_sight(stack: ControllerStack) -> "SceneSight | None":
    """Return what sees the scene of a controller's simulator; `None` where it has no such scene."""
    scene = stack.robot_interface.scene
    return None if scene is None else SceneSight(scene, stack.robot)


class SceneSight:
    """Shows the bodies of a simulator's scene: those that move freely where they truly are.

    The file is read when somebody looks for the first time. Bodies named like a link of the robot
    hang on it, and are left out; so are shapes that nothing touches.

    Args:
        scene: What there is.
        robot: What stands in it.
    """

    def __init__(self, scene: SimulatedScene, robot: RobotDescription) -> None:
        self._scene = scene
        self._robot = robot
        self._solids: dict[str, SolidView] | None = None

    def solids(self) -> Mapping[str, SolidView]:
        """Return the bodies by name, as they are now."""
        if self._solids is None:
            self._solids = self._read()
        for name, pose in self._scene.scene_poses().items():
            if name in self._solids:
                solid = self._solids[name]
                self._solids[name] = solid._replace(pose=Pose(pose[:3], pose[3:]))
        return self._solids

    def _read(self) -> dict[str, SolidView]:
        file = self._scene.scene_file
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
