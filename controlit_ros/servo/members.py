"""Members: what a controller consists of, and who follows when that changes."""

from typing import NamedTuple, Protocol

from controlit_ros.constraints import Constraint
from controlit_ros.servo.sampler import Sampler
from controlit_ros.tasks import Task


class Members(NamedTuple):
    """The parts of a controller that come and go, at one moment.

    Attributes:
        tasks: In their order.
        constraints: Likewise.
    """

    tasks: tuple[Task, ...]
    constraints: tuple[Constraint, ...]

    @property
    def parts(self) -> tuple[Task | Constraint, ...]:
        """All of them."""
        return (*self.tasks, *self.constraints)


class Follower(Protocol):
    """Brings numbers of the members out of the servo.

    Attributes:
        sampler: What brings them; set by whoever changes the members, once these have changed.
    """

    sampler: Sampler

    def follow(self, members: Members, begin: int | None = None) -> Sampler:
        """Return a new sampler, for other members.

        Args:
            members: Those to come.
            begin: As `Outbox.add_sampler` takes it.
        """
