"""Waypoints of Dreamer's hands: reach, swap heights, bring together, lift, spread, return."""

from controlit_demos.programs.waypoint import Waypoint

_ARM = (
    "shoulder_extensor",
    "shoulder_abductor",
    "shoulder_rotator",
    "elbow",
    "wrist_rotator",
    "wrist_pitch",
    "wrist_yaw",
)

# Positions [rad] of one arm in the order of _ARM; the arms mirror each other.
_HANGING = (0.0, 0.1745, 0.0, 0.1745, 0.0, 0.0, 0.0)
_RAISING = (0.07, 0.19, 0.0, 0.75, 0.0, 0.0, 0.0)
_READY = (0.15, 0.2, 0.0, 1.35, 0.0, 0.0, 0.0)
_FAR = (0.85, 0.2, 0.1, 0.75, 0.0, 0.0, 0.0)
_HIGH = (1.1, 0.3, 0.0, 1.2, 0.0, -0.2, 0.0)
_LOW = (0.25, 0.2, 0.0, 0.6, 0.0, 0.5, 0.0)
_INWARD = (0.5, 0.15, -0.45, 1.2, 0.0, 0.0, 0.0)
_INWARD_HIGH = (0.9, 0.15, -0.45, 1.3, 0.0, -0.3, 0.0)
_WIDE = (0.6, 0.6, 0.1, 1.0, 0.0, 0.0, 0.0)


def _posture(
    right: tuple[float, ...], left: tuple[float, ...], torso: float = 0.0
) -> dict[str, float]:
    return {
        "torso_lower_pitch": torso,
        **{f"right_{joint}": angle for joint, angle in zip(_ARM, right, strict=True)},
        **{f"left_{joint}": angle for joint, angle in zip(_ARM, left, strict=True)},
    }


HANDS_WAYPOINTS = (
    Waypoint("raise both hands", 3.0, _posture(_RAISING, _RAISING)),
    Waypoint("get ready", 3.0, _posture(_READY, _READY), pause=1.0),
    Waypoint("reach with the right", 4.0, _posture(_FAR, _READY, torso=0.04)),
    Waypoint("left hand up", 4.0, _posture(_LOW, _HIGH)),
    Waypoint("swap heights", 5.0, _posture(_HIGH, _LOW), pause=1.0),
    Waypoint("bring hands together", 5.0, _posture(_INWARD, _INWARD, torso=0.04), pause=1.0),
    Waypoint("lift together", 4.0, _posture(_INWARD_HIGH, _INWARD_HIGH, torso=0.02)),
    Waypoint("spread", 5.0, _posture(_WIDE, _WIDE), pause=1.0),
    Waypoint("back to ready", 4.0, _posture(_READY, _READY)),
    Waypoint("lower both hands", 3.0, _posture(_RAISING, _RAISING)),
    Waypoint("hang", 3.0, _posture(_HANGING, _HANGING), pause=2.0),
)
"""49 s from and to Dreamer's default posture."""
