"""JointRow: a joint against its limits."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from controlit_ros.model.urdf_document import urdf_tree


class DescribedLimits(NamedTuple):
    """Limits of a joint by the robot's description; infinite where there are none.

    Attributes:
        lower: Least position [rad or m].
        upper: Largest position [rad or m].
        velocity: Largest speed [rad/s or m/s].
        effort: Largest effort [N m or N].
        slides: Whether it slides.
    """

    lower: float
    upper: float
    velocity: float
    effort: float
    slides: bool


class JointRow(NamedTuple):
    """A joint as it is.

    Attributes:
        name: Its name.
        position: [rad or m].
        velocity: [rad/s or m/s].
        effort: What is commanded, where something is, else what is measured [N m or N].
        limits: Its limits.
    """

    name: str
    position: float
    velocity: float
    effort: float
    limits: DescribedLimits


NO_LIMITS = DescribedLimits(-math.inf, math.inf, math.inf, math.inf, slides=False)


def joint_limits(urdf: str) -> Mapping[str, DescribedLimits]:
    """Return the limits of all joints by name."""
    found = {}
    for joint in urdf_tree(urdf).findall("joint"):
        limit = joint.find("limit")
        if limit is None or joint.get("type") is None:
            continue
        is_endless = joint.get("type") == "continuous"
        found[str(joint.get("name"))] = DescribedLimits(
            -math.inf if is_endless else float(limit.get("lower", 0.0)),
            math.inf if is_endless else float(limit.get("upper", 0.0)),
            float(limit.get("velocity", math.inf)) or math.inf,
            float(limit.get("effort", math.inf)) or math.inf,
            joint.get("type") == "prismatic",
        )
    return found
