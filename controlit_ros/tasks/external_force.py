"""ExternalForce: a body pushes and twists what it touches."""

import numpy as np

from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.force_controller import ForceController
from controlit_ros.tasks.force_task import ForceTask
from controlit_ros.tasks.goal_frame import GoalFrame
from controlit_ros.tasks.shape import Shape, ShapeKind, shapes_by_names
from controlit_ros.tasks.task_parameters import ENABLE
from controlit_ros.tasks.task_state import TaskState

FORCE = ("x", "y", "z")
COMPONENTS = (*FORCE, "moment_x", "moment_y", "moment_z")

# As fast as a robot may move that people are near to by ISO 10218-1, and a hand's breadth turns.
MAX_SPEED = (0.25, 0.25, 0.25, 1.0, 1.0, 1.0)  # [m/s, rad/s]


class ExternalForce(ForceTask):
    """Makes a body exert a force and a moment on its surroundings, at a point of the body.

    The efforts `UNc̄ᵀ Jᵀ F` are those with which the robot holds the reaction −F of what it pushes
    on, so that force and reaction move nothing, whatever the priority; see `HeldLoad`. The level
    keeps the body where it is held. At rest the surroundings feel F; where nothing stops the body
    it accelerates, damped by `kd`, until the force has faded at `max_speed`. Only the force acts
    unless `axes` names moments too. `contact` names a contact constraint, usually a disabled one,
    whose wrench the robot senses: the actual value is what the body exerts there.
    """

    command_kind = CommandKind.FORCE
    needs_reactions = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        n = len(COMPONENTS)
        super().__init__(name, robot, n, COMPONENTS, default_axes=FORCE)
        self.body = self.declare_body()
        self.control_point = self.declare_point("where the force acts, in the body's frame")
        self.goal_frame: GoalFrame = GoalFrame(self, robot)
        self.contact = self.declare(
            "contact",
            "",
            access=Access.CONFIGURATION,
            description="contact constraint whose wrench is fed back; empty: none",
        )
        components = {"shape": (n,), "labels": COMPONENTS, "unit": "N, N m"}
        self.goal = self.declare(
            "goal_wrench",
            np.zeros(n),
            description="force and moment to exert on the surroundings, in the frame's axes",
            **components,
        )
        self.actual = self.declare(
            "actual_wrench", np.full(n, 0.0), access=Access.OUTPUT, **components
        )
        self.controller = ForceController(self, n, labels=COMPONENTS, max_speed=MAX_SPEED)
        self._max_speed = self.parameter("max_speed")
        self._point = FramePoint(robot.nv)
        self._contact: int | None = None

    def configure(self) -> None:
        """Resolve the contact."""
        super().configure()
        if self.contact.value:
            self._contact = self.resolve_contact(self.contact, self.contact.value)

    def complaint(self) -> str:
        """Tell that nothing stops the body."""
        if self.operational_state.value != ENABLE:
            return ""
        limit, velocity = self._max_speed.value, self.active.velocity
        goal = self.goal.value
        for i, component in enumerate(COMPONENTS):
            along = float(velocity[i]) * (1.0 if goal[i] > 0.0 else -1.0)
            if goal[i] != 0.0 and limit[i] > 0.0 and 2.0 * along > limit[i]:
                return (
                    f"{self.name}: nothing stops {self.body.value!r}, which moves at {along:.3g} "
                    f"along {component} of its force, expected a contact that holds it; from half "
                    f"of max_speed ({limit[i]:g}) on the force fades"
                )
        return ""

    def shapes(self) -> tuple[Shape, ...]:
        """Arrows at the control point."""
        return shapes_by_names(
            self.parameters,
            self.goal,
            self.actual,
            self.goal_frame,
            self.robot,
            ShapeKind.WRENCH,
        )

    def _update(self, model: RobotModel, state: TaskState) -> None:
        point = self._point
        point.update(model, self._frame, self.control_point.value)
        np.copyto(state.jacobian, point.full_jacobian)
        np.copyto(state.bias, point.full_bias)
        state.actual.fill(np.nan)
        if self._contact is not None:
            np.negative(model.state.contact_wrench[self._contact], out=state.actual)
        if not self.goal_frame.is_world:
            to_frame = self.goal_frame.update(model, self.epoch).rotation.T
            for part in (slice(0, 3), slice(3, 6)):
                state.jacobian[part] = to_frame @ state.jacobian[part]
                state.bias[part] = to_frame @ state.bias[part]
                state.actual[part] = to_frame @ state.actual[part]
