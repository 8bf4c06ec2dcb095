"""Command: what a whole-body controller asks of the robot."""

from collections.abc import Callable, Sequence

import numpy as np

from controlit_ros.arrays import Array

FIELDS = ("effort", "position", "velocity", "stiffness", "damping")
"""What a command can hold for each joint; all but the first may be `None`."""


class Command:
    """Command to the joints; its arrays are allocated once and written in place.

    Fields a controller does not use are `None` (paper section 4.2).

    Attributes:
        sequence: Number the servo gave it, 64 bits; the robot reflects it in its measurements so
            that the servo knows the round trip. 0: none.
        joint_names: Command joints, in the order of all arrays.
        effort: `(n,)` [N m] or [N].
        position: `(n,)` [rad] or [m], or `None`.
        velocity: `(n,)` [rad/s] or [m/s], or `None`.
        stiffness: `(n,)` gain of the joints' own position controller [N m/rad], or `None`.
        damping: `(n,)` gain of the joints' own velocity controller [N m s/rad], or `None`.
    """

    __slots__ = (
        "damping",
        "effort",
        "joint_names",
        "position",
        "sequence",
        "stiffness",
        "velocity",
    )

    def __init__(
        self, joint_names: Sequence[str], *, with_motion: bool = False, with_gains: bool = False
    ) -> None:
        n = len(joint_names)
        self.joint_names = tuple(joint_names)
        self.sequence = 0
        self.effort = np.zeros(n)
        self.position: Array | None = np.zeros(n) if with_motion else None
        self.velocity: Array | None = np.zeros(n) if with_motion else None
        self.stiffness: Array | None = np.zeros(n) if with_gains else None
        self.damping: Array | None = np.zeros(n) if with_gains else None

    def like(self) -> "Command":
        """Return a command of zeros with the same fields."""
        return self._with(np.zeros_like)

    def view(self) -> "Command":
        """Return a command in the same memory, for code that may lock or replace its arrays."""
        return self._with(_second_array)

    def arrays(self) -> tuple[Array | None, ...]:
        """Return the present arrays of all fields."""
        return self.effort, self.position, self.velocity, self.stiffness, self.damping

    def _with(self, create: Callable[[Array], Array]) -> "Command":
        command = Command(self.joint_names)
        command.sequence = self.sequence
        for field in FIELDS:
            values = getattr(self, field)
            setattr(command, field, None if values is None else create(values))
        return command


def _second_array(values: Array) -> Array:
    """Return an array in the same memory, whose flags are its own."""
    return np.frombuffer(values.data)
