"""Tasks on a chain, and what the servo and its task updater do with them."""

from robots_for_tests import chain

from controlit_ros.tasks import CommandKind
from controlit_ros.tasks.center_of_mass import CenterOfMass

PERIOD = 0.001  # [s]


class Push(CenterOfMass):
    """A task that commands a force."""

    command_kind = CommandKind.FORCE


def chain_of_four():
    """Return the description of a robot of four joints."""
    return chain(4, ("revolute", "revolute", "prismatic", "continuous")).description()


def update(tasks, model):
    """Do the task updater's part."""
    for task in tasks:
        if not task.is_disabled:
            task.update(model, task.inactive)
            task.swap()


def cycle(compound, model, period=PERIOD):
    """Update the tasks, and compute them for a cycle [s]."""
    update(compound.tasks, model)
    compound.compute(period)
    return compound
