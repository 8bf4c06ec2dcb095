"""StatePair: what a task knows of two model states, one read and one written."""

from collections.abc import Sequence

from controlit_ros.arrays import Indices
from controlit_ros.parameters import Parameter
from controlit_ros.tasks.task_state import TaskState


class StatePair:
    """The state the servo reads and the one the task updater writes, which are exchanged.

    Args:
        states: Both; the first is active.
        which: `(1,)` memory of the word that tells which is active.
        parameters: Those a state is computed from.

    Attributes:
        both: In the order of the word.
        which: The word, 0 or 1 at its only place.
        which_at: Its address.
    """

    def __init__(
        self,
        states: tuple[TaskState, TaskState],
        which: Indices,
        parameters: Sequence[Parameter],
    ) -> None:
        self._parameters = tuple(parameters)
        self._changes_seen = -1
        self._revision = 0
        self._take(states, which)

    def _take(self, states: tuple[TaskState, TaskState], which: Indices) -> None:
        self.both = states
        self.which = which.data  # quicker than the array, which it keeps alive
        self.which_at = which.ctypes.data
        self.which[0] = 0

    @property
    def active(self) -> TaskState:
        """State the servo reads."""
        return self.both[self.which[0]]

    @property
    def inactive(self) -> TaskState:
        """State the task updater writes."""
        return self.both[1 - self.which[0]]

    @property
    def revision(self) -> int:
        """How often what a state is computed from has changed."""
        changes = Parameter.changes
        if self._changes_seen != changes:
            self._changes_seen = changes
            self._revision = sum(parameter.revision for parameter in self._parameters)
        return self._revision

    @property
    def is_steady(self) -> bool:
        """Whether both were computed from what the parameters are now."""
        active, inactive = self.both
        revision = self.revision
        return active.valid and inactive.valid and active.revision == inactive.revision == revision

    def swap(self) -> None:
        """Exchange active and inactive state; servo thread, when the inactive one is complete."""
        former = self.active
        self.which[0] ^= 1
        if not former.valid or former.revision != self.active.revision:
            Parameter.changes += 1  # the compound task takes the task in, the command is ramped

    def invalidate(self) -> None:
        """Forget both."""
        if self.active.valid:
            Parameter.changes += 1  # the compound task leaves the task out
        self.active.valid = False
        self.inactive.valid = False

    def move(self, active: TaskState, inactive: TaskState, which: Indices) -> None:
        """Move both into other memory, before the servo runs.

        Args:
            active: Memory of the active state.
            inactive: Memory of the inactive state.
            which: `(1,)` kept at 0 while `active` is the active one, else at 1.
        """
        active.copy_from(self.active)
        inactive.copy_from(self.inactive)
        self._take((active, inactive), which)
