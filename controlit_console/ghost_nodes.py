"""GhostNodes: a posture that the robot shall have, in the scene."""

from typing import Any

import numpy as np
from viser import SceneApi

from controlit_console.drawn_bodies import DrawnBody
from controlit_console.robot_nodes import RobotNodes

GHOSTLY = 0.35  # [-] opacity
OFF = 0.015  # [m, -] by which a body of a ghost is elsewhere


class GhostNodes(RobotNodes):
    """Draws the bodies that are elsewhere than the robot's; a ghost that nobody sees costs nothing.

    Args:
        scene: Where to draw.
        urdf: What the robot looks like.
        root: Under which name.
        color: Of all of it.
    """

    def __init__(
        self, scene: SceneApi, urdf: str, root: str, color: tuple[float, float, float]
    ) -> None:
        super().__init__(
            scene, urdf, root, color, opacity=GHOSTLY, cast_shadow=False, visible=False
        )
        self._drawn: list[tuple[int, Any]] = []
        self._off: frozenset[int] = frozenset()

    def show_off(self, actual: RobotNodes) -> None:
        """Move to where the posture is, what is not where the robot is, and nothing else be seen.

        Args:
            actual: The robot.
        """
        self.posture.update()
        off = np.abs(self.posture.joints() - actual.posture.joints()).max(axis=(1, 2)) > OFF
        self._off = frozenset(int(joint) for joint in np.flatnonzero(off))
        if self._off:
            self._move()
        for joint, node in self._drawn:
            if node.visible is not (joint in self._off):
                node.visible = joint in self._off

    def _is_due(self, body: DrawnBody) -> bool:
        return body.joint in self._off

    def _draw(self, body: DrawnBody) -> Any:
        node = super()._draw(body)
        if node is not None:
            self._drawn.append((body.joint, node))
            node.visible = body.joint in self._off
        return node
