"""RobotFigure: the robot in the scene, and a ghost of it where a posture shall be."""

import numpy as np
import pinocchio as pin
from viser import SceneApi

from controlit_console.ghost_nodes import GhostNodes
from controlit_console.moments import Moments
from controlit_console.robot_nodes import RobotNodes
from controlit_ros.arrays import Array

GHOST, GREEN = "/ghost", (0.18, 0.72, 0.33)


class RobotFigure:
    """Draws the robot as its description says; another description is another robot.

    The ghost has the goals of the posture tasks that act; only what is elsewhere is seen of it.

    Args:
        scene: Where to draw.
    """

    def __init__(self, scene: SceneApi) -> None:
        self._scene = scene
        self._nodes: RobotNodes | None = None
        self._ghost: GhostNodes | None = None
        self._read = ""

    @property
    def has_ghost(self) -> bool:
        """Whether goal postures are shown by a ghost."""
        nodes = self._nodes
        return nodes is not None and nodes.has_shapes and not nodes.missing

    def draw(self, description: str, moments: Moments) -> None:
        """Draw the robot where it is now.

        Args:
            description: Its URDF; empty until it came.
            moments: Where it is.
        """
        if description != self._read:
            self._read = description
            self.remove()
            self._nodes = RobotNodes(self._scene, description)
            self._ghost = GhostNodes(self._scene, description, GHOST, GREEN)
        nodes, ghost = self._nodes, self._ghost
        if nodes is None or ghost is None:
            return
        if moments.pose(nodes.posture):
            nodes.show()
            ghost.posture.copy(nodes.posture)
            moments.pose_goal(ghost.posture)
            ghost.show_off(nodes)
        nodes.draw_more()
        if nodes.is_complete:
            ghost.draw_more()

    def places(self) -> Array:
        """Return where its links are, `(n, 3)` [m]; none before it is known."""
        return np.zeros((0, 3)) if self._nodes is None else self._nodes.places()

    def link(self, name: str) -> pin.SE3 | None:
        """Return where a link is in the world; `None` before that is known."""
        nodes = self._nodes
        return None if nodes is None or not nodes.posture.has(name) else nodes.posture.link(name)

    def remove(self) -> None:
        """Take both away."""
        nodes, self._nodes = self._nodes, None
        ghost, self._ghost = self._ghost, None
        for drawn in (nodes, ghost):
            if drawn is not None:
                drawn.remove()
