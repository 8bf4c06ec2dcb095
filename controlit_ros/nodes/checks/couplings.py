"""Transmissions of which the ends do not fit together."""

from collections.abc import Sequence

from controlit_ros.constraints import Coupling, parted
from controlit_ros.model import RobotDescription
from controlit_ros.nodes.checks.findings import Findings


def coupling_warnings(robot: RobotDescription, couplings: Sequence[Coupling]) -> Findings:
    """Yield place and text of warnings about slaves that leave their range with any motion."""
    for coupling in parted(robot, couplings):
        text = (
            f"joint {coupling.slave!r} follows {coupling.master!r} out of its range, wherever that "
            f"moves in its own; expected ranges that fit the ratio {coupling.ratio:g} and the "
            f"offset {coupling.offset:g}"
        )
        yield ("robot_description",), text
