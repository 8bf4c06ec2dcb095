"""Parts that many messages share: times and frames."""

from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.model import WORLD

WORLD_FRAMES = ("", WORLD, "map", "odom")


def time_fields(stamp: float) -> dict[str, int]:
    """Return a time [s] as the fields of builtin_interfaces/Time."""
    seconds = int(stamp // 1.0)
    return {"sec": seconds, "nanosec": min(int((stamp - seconds) * 1e9), 999_999_999)}


def check_frame(frame: str) -> None:
    """Check that coordinates are given in the world.

    Raises:
        ConversionError: They are given in another frame.
    """
    if frame not in WORLD_FRAMES:
        raise ConversionError(f"found frame_id {frame!r}, expected {WORLD!r} or none")
