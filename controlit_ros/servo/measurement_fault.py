"""MeasurementFault: what was wrong with a measurement, in words when somebody asks."""

import math
from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels import measurement_layout as layout
from controlit_ros.model import RobotState
from controlit_ros.model.state_words import BASE_WORDS, word_of

OF_JOINTS = (layout.RANGE, layout.SPEED, layout.SPEED_JUMP, layout.JUMP, layout.NOT_FOLLOWED)


class MeasurementFault:
    """Keeps the last measurement that was found wrong; servo thread.

    Args:
        joint_names: Joints of the measurements.
        bounds: `(JOINT_BOUNDS, n)` what is believed of them, see `kernels.implausible`.
        base_bounds: `(BASE_BOUNDS,)` likewise.
    """

    def __init__(self, joint_names: Sequence[str], bounds: Array, base_bounds: Array) -> None:
        self._names = tuple(joint_names)
        self._bounds = bounds
        self._base_bounds = base_bounds
        self._found, self._before = RobotState(self._names), RobotState(self._names)
        self._code = layout.GOOD
        self._elapsed = 0.0

    def keep(self, code: int, found: RobotState, before: RobotState, elapsed: float) -> None:
        """Remember a measurement.

        Args:
            code: What `kernels.implausible` said of it.
            found: The measurement.
            before: What it was compared with.
            elapsed: Time between the two, as it was counted [s].
        """
        self._code, self._elapsed = code, elapsed
        np.copyto(self._found.motion, found.motion)
        np.copyto(self._before.motion, before.motion)

    @property
    def text(self) -> str:
        """What was found and what was expected."""
        index, kind = divmod(self._code, layout.KINDS)
        if kind == layout.NOT_FINITE:
            value = self._found.motion[index]
            return f"{word_of(self._names, index)}: found {value}, expected a number"
        if kind in OF_JOINTS:
            return self._of_joint(index, kind)
        return self._of_base(index, kind)

    def _of_joint(self, index: int, kind: int) -> str:
        found, bounds, name = self._found, self._bounds[:, index], self._names[index]
        position, highest = found.position[index], bounds[layout.FASTEST]
        if kind == layout.RANGE:
            lower, upper = bounds[layout.LOWER], bounds[layout.UPPER]
            return f"position of {name}: found {position:g}, expected {lower:g} to {upper:g}"
        if kind == layout.SPEED:
            speed = found.velocity[index]
            return f"velocity of {name}: found {speed:g}, expected at most {highest:g}"
        surge, speed = bounds[layout.SURGE], self._before.velocity[index]
        if kind == layout.SPEED_JUMP:
            reach = surge * (1.0 + self._elapsed / layout.GROWTH)
            return (
                f"velocity of {name}: found {found.velocity[index]:g} after {speed:g}, expected "
                f"within {reach:.3g} of that"
            )
        before = self._before.position[index]
        if kind == layout.NOT_FOLLOWED:
            return (
                f"velocity of {name}: found {found.velocity[index]:g} after {speed:g}, expected "
                f"that the position follows, which went from {before:g} to {position:g}"
            )
        reach = bounds[layout.STEP] + bounds[layout.LIMIT] * self._elapsed
        reach += max(abs(speed), abs(found.velocity[index])) * layout.JITTER
        return (
            f"position of {name}: found {position:g} after {before:g}, expected within {reach:.3g} "
            "of that"
        )

    def _of_base(self, index: int, kind: int) -> str:
        found, before, bounds = self._found, self._before, self._base_bounds
        step, linear, angular = (
            bounds[layout.BASE_STEP],
            bounds[layout.LINEAR],
            bounds[layout.ANGULAR],
        )
        place = found.base_position
        moved, spin = place - before.base_position, found.base_velocity[3:]
        elapsed = self._elapsed
        table = {
            layout.BASE_LENGTH: ("length of the base's quaternion", found.base_orientation, 1.0),
            layout.BASE_PLACE: (BASE_WORDS[index], place[index : index + 1], bounds[layout.PLACE]),
            layout.BASE_SPEED: ("speed of the base [m/s]", found.base_velocity[:3], linear),
            layout.BASE_SPIN: ("angular speed of the base [rad/s]", spin, angular),
            layout.BASE_JUMP: ("jump of the base [m]", moved, step + linear * elapsed),
            layout.BASE_TURN: (
                "turn of the base at once [rad]",
                np.array([_angle(found.base_orientation, before.base_orientation)]),
                step + angular * elapsed,
            ),
        }
        if kind not in table:
            return "it began anew"
        what, vector, highest = table[kind]
        limit = "" if kind == layout.BASE_LENGTH else "at most "
        return f"{what}: found {_length(vector):.4g}, expected {limit}{highest:.4g}"


def _length(vector: Array) -> float:
    return math.hypot(*vector.tolist())


def _angle(a: Array, b: Array) -> float:
    lengths = _length(a) * _length(b)
    if not 0.0 < lengths < math.inf:
        return math.nan
    return 2.0 * math.acos(min(abs(float(np.dot(a, b))) / lengths, 1.0))
