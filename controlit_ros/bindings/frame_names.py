"""FrameNames: what the frames of a robot are called on topics."""

from typing import NamedTuple

from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.model.world import WORLD

FIXED_TO_THE_WORLD = (WORLD, "map", "odom")


class FrameNames(NamedTuple):
    """Names of frames in headers of messages, where several robots share `/tf`.

    Attributes:
        prefix: What stands before each name, as robot_state_publisher's `frame_prefix`; also before
            `world`: that of another robot is another frame.
    """

    prefix: str = ""

    @property
    def world(self) -> str:
        """Name of the world that coordinates are given in."""
        return self.prefix + WORLD

    @property
    def fixed(self) -> tuple[str, ...]:
        """Names of frames that are taken for the world (REP-105)."""
        return tuple(self.prefix + name for name in FIXED_TO_THE_WORLD)

    def outside(self, name: str) -> str:
        """Return what a link is called on topics."""
        return self.prefix + name

    def inside(self, name: str) -> str:
        """Return what a link of this robot is called in its description."""
        return name.removeprefix(self.prefix)

    def check_world(self, frame: str) -> None:
        """Check that coordinates are given in the world; a header may leave that out.

        Raises:
            ConversionError: They are given in another frame.
        """
        if frame and frame not in self.fixed:
            raise ConversionError(f"found frame_id {frame!r}, expected {self.world!r} or none")


ROBOT_ALONE = FrameNames()
"""Names without a prefix."""


class UnsaidFrames(FrameNames):
    """Says no frame and asks for none: for who talks with one controller whose world it shares."""

    @property
    def world(self) -> str:
        """Return nothing: the controller takes it for its world."""
        return ""

    def check_world(self, frame: str) -> None:
        """Take any frame for the world."""
