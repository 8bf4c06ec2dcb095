"""ForceTask: base of the tasks that command a force."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters import Parameter, ParameterError, blaming
from controlit_ros.tasks.control_law import LawKind
from controlit_ros.tasks.task import Task


class ForceTask(Task):
    """A goal that is a force; the law is `ForceController`, open-loop where nothing is measured.

    The actual value is not a number where no wrench is known, and so is the error's norm: no
    condition over it holds then.
    """

    has_control_law = False

    def latch_goal(self) -> None:
        """Set the goal to the measured force, or to zero where none is known."""
        known = np.nan_to_num(self.active.actual, nan=0.0)
        self.goal.assign(known)
        self.controller.reset()

    def resolve_contact(self, parameter: Parameter, contact: str) -> int:
        """Return the index of a contact that a parameter names.

        Raises:
            ParameterError: There is no such contact; the text lists the nearest.
        """
        with blaming(parameter):
            return self.robot.contact_index(contact)

    def resolve_flat_contact(self, parameter: Parameter) -> int:
        """Return the index of a contact that a parameter names and that takes moments.

        Raises:
            ParameterError: There is no such contact, or it takes no moments.
        """
        index = self.resolve_contact(parameter, parameter.value)
        if not self.robot.contacts[index].holds_rotation:
            raise ParameterError(
                f"{parameter.full_name}: found {parameter.value!r}, which takes no moments, "
                "expected a flat contact"
            )
        return index

    def _fed_forward(self, *, has_expired: bool) -> Array:  # noqa: ARG002 - a force holds
        goal: Array = self.goal.value
        return self._nothing if self.controller.kind is LawKind.FORCE_FEEDBACK else goal
