"""RobotFigure: the robot in the scene, as soon as its description is there."""

from viser import ViserServer

from controlit_console.moments import Moments
from controlit_console.robot_nodes import RobotNodes


class RobotFigure:
    """Draws the robot; one whose description cannot be read is not drawn.

    Args:
        server: Of the page.
    """

    def __init__(self, server: ViserServer) -> None:
        self._server = server
        self._nodes: RobotNodes | None = None
        self._read = ""

    def draw(self, description: str, moments: Moments) -> None:
        """Draw the robot where it is now.

        Args:
            description: Its URDF; empty until it came.
            moments: Where it is.
        """
        if description != self._read:
            self._read = description
            self.remove()
            self._nodes = RobotNodes(self._server.scene, description)
        if self._nodes is None:
            return
        with self._server.atomic():
            if moments.pose(self._nodes.posture):
                self._nodes.show()
        self._nodes.draw_more()

    def remove(self) -> None:
        """Take it away."""
        nodes, self._nodes = self._nodes, None
        if nodes is not None:
            nodes.remove()
