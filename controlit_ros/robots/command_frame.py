"""CommandFrame: a Command as one flat vector, for channels and delay lines."""

from typing import ClassVar

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command


class CommandFrame:
    """Flat `float64` vector with a named view for each field of a `Command`.

    Fields that a command does not use are zero.

    Args:
        n: Number of command joints.

    Attributes:
        size: Length of the vector.
        vector: `(size,)` everything: the flags, the sequence number, then the fields.
        effort: `(n,)` view [N m or N].
        position: `(n,)` view [rad or m].
        velocity: `(n,)` view [rad/s or m/s].
        stiffness: `(n,)` view [N m/rad or N/m].
        damping: `(n,)` view [N m s/rad or N s/m].
    """

    FRESH: ClassVar = 0
    """Where the vector tells that it is a new command."""
    GAINS: ClassVar = 1
    """Where the vector tells that it has joint gains and their set points."""

    SEQUENCE: ClassVar = 2
    """Where the vector has the number of the command, a 64-bit word."""

    def __init__(self, n: int) -> None:
        self.size = 3 + 5 * n
        self.vector = np.zeros(self.size)
        fields: Array = self.vector[3:].reshape(5, n)
        self._sequence = self.vector[self.SEQUENCE : self.SEQUENCE + 1].view(np.uint64)
        self.effort = fields[0]
        self.position = fields[1]
        self.velocity = fields[2]
        self.stiffness = fields[3]
        self.damping = fields[4]

    @property
    def fresh(self) -> bool:
        """Whether nobody has taken this command yet."""
        return self.vector.item(self.FRESH) != 0.0

    @fresh.setter
    def fresh(self, fresh: bool) -> None:
        self.vector[self.FRESH] = fresh

    @property
    def sequence(self) -> int:
        """Number of the command, to be reflected in the next measurement; 0: none."""
        return self._sequence.item(0)

    @sequence.setter
    def sequence(self, sequence: int) -> None:
        self._sequence[0] = sequence

    @property
    def has_gains(self) -> bool:
        """Whether the joints' own position and velocity controllers take part."""
        return self.vector.item(self.GAINS) != 0.0

    @has_gains.setter
    def has_gains(self, has_gains: bool) -> None:
        self.vector[self.GAINS] = has_gains

    def clear(self) -> None:
        """Make it a stale command without effort."""
        self.vector.fill(0.0)

    def pack(self, command: Command) -> None:
        """Take over a new command of as many joints.

        Set points count where there are gains for them.
        """
        self._sequence[0] = command.sequence
        np.copyto(self.effort, command.effort)
        gains = False
        if command.position is not None and command.stiffness is not None:
            np.copyto(self.position, command.position)
            np.copyto(self.stiffness, command.stiffness)
            gains = True
        else:
            self.stiffness.fill(0.0)
        if command.velocity is not None and command.damping is not None:
            np.copyto(self.velocity, command.velocity)
            np.copyto(self.damping, command.damping)
            gains = True
        else:
            self.damping.fill(0.0)
        self.vector[self.FRESH] = 1.0
        self.vector[self.GAINS] = gains
