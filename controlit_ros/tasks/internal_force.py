"""InternalForce: tension and moments between two contacts."""

import numpy as np

from controlit_ros.model.contact_site import ContactSite
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Kind, ParameterError
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.force_controller import ForceController
from controlit_ros.tasks.force_task import ForceTask
from controlit_ros.tasks.shape import TensionShape
from controlit_ros.tasks.task_state import TaskState

COMPONENTS = ("tension", "moment_x", "moment_y", "moment_z")
TOO_CLOSE = 1e-6  # [m] between contacts closer than that, no direction can be told


class InternalForce(ForceTask):
    """Pulls two contacts together and twists them against each other, moving nothing.

    With the contacts at `p₁, p₂` and `n = (p₂ − p₁)/|p₂ − p₁|`, the rows are
    `nᵀ (J₁ − J₂)` and, where both contacts take moments, `J_ω1 − J_ω2`. A tension `T` adds `T n` to
    the force the first body exerts on the world and `−T n` to that of the second; a moment `M`,
    in world axes, adds `M` and `−M` likewise. These rows do not depend on the motion of the base
    and vanish in the null space of both contacts, so that `τ_internal = (J Uᵀ)ᵀ F` passes
    `L*` (paper, eq. 8) unchanged and comes out exactly where all joints are commanded.

    The command comes on top of what the rest of the law leaves between the contacts. The actual
    value is all there is, half the difference of the two contacts' forces and moments; with `ki`
    it is brought to the goal.
    """

    command_kind = CommandKind.INTERNAL_FORCE
    needs_reactions = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        n = len(COMPONENTS)
        super().__init__(name, robot, n, COMPONENTS)
        self.contacts = self.declare(
            "contacts",
            ("", ""),
            kind=Kind.TEXT,
            shape=(2,),
            access=Access.CONFIGURATION,
            description="names of the two contact constraints",
        )
        components = {"shape": (n,), "labels": COMPONENTS, "unit": "N, N m"}
        self.goal = self.declare(
            "goal_force",
            np.zeros(n),
            description="tension between the contacts and moments, in world axes",
            **components,
        )
        self.actual = self.declare("actual_force", np.zeros(n), access=Access.OUTPUT, **components)
        self.controller = ForceController(self, n, labels=COMPONENTS)
        self._sites: tuple[ContactSite, ContactSite]
        self._indices: tuple[int, ...] = ()
        self._points = (FramePoint(robot.nv), FramePoint(robot.nv))

    def configure(self) -> None:
        """Resolve the contacts."""
        super().configure()
        first, second = self.contacts.value
        if first == second:
            raise ParameterError(
                f"{self.contacts.full_name}: found {first!r} twice, expected two contacts"
            )
        self._indices = tuple(
            self.resolve_contact(self.contacts, contact) for contact in (first, second)
        )
        one, other = self._indices
        self._sites = (self.robot.contacts[one], self.robot.contacts[other])

    def shapes(self) -> tuple[TensionShape, ...]:
        """Arrows at both contacts."""
        return (TensionShape(self.goal, self.actual, self._sites),)

    def _update(self, model: RobotModel, state: TaskState) -> None:
        (first, second), (one, other) = self._sites, self._points
        one.update_contact(model, first)
        other.update_contact(model, second)
        line = other.position - one.position
        distance = float(np.linalg.norm(line))
        line /= max(distance, TOO_CLOSE)
        state.jacobian.fill(0.0)
        np.matmul(line, one.jacobian - other.jacobian, out=state.jacobian[0])
        takes_moments = first.holds_rotation and second.holds_rotation
        if takes_moments:
            np.subtract(one.angular_jacobian, other.angular_jacobian, out=state.jacobian[1:])
        wrenches = model.state.contact_wrench
        halves = 0.5 * (wrenches[self._indices[1]] - wrenches[self._indices[0]])
        state.actual[0] = line @ halves[:3]
        state.actual[1:] = halves[3:] if takes_moments else 0.0
