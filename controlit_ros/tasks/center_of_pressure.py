"""CenterOfPressure: where the ground presses against a sole."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Kind, ParameterError
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.control_law import LawKind
from controlit_ros.tasks.force_controller import ForceController
from controlit_ros.tasks.force_task import ForceTask
from controlit_ros.tasks.shape import Shape, ShapeKind
from controlit_ros.tasks.task_state import TaskState

AXES = ("x", "y")
LEAST_FORCE = 1.0  # [N] normal force below which the centre of pressure says nothing
REACHED = 0.95  # [-] of the half size of a sole


class CenterOfPressure(ForceTask):
    """Senses the centre of pressure of a flat contact, and moves it by internal moments.

    In the axes of the touching body, z being the normal of its sole, with the reaction `(f, m)` at
    the contact point, `c = (−m_y, m_x) / f_z`, relative to the contact point [m]. The reaction is
    the sensed one if the robot reports it, else what the model expects under the last command.

    Enabled, it commands moments of the contact that move nothing. With `support`, another flat
    contact, the opposite moment acts there: `J = f_z [y; −x]ᵀ (J_ω − J_ω,support)`, so that a
    command of one moves the centre by one metre. Without, `J = f_z [y; −x]ᵀ J_ω`, and `L*` (paper,
    eq. 8) lets all other contacts balance the moment, by their forces, too: so the centres of two
    feet can both be led, and with them how the robot's weight is shared. `command = kp e + ki ∫e`;
    the moments come on top of what the rest of the law leaves. On one foot alone there are no
    internal moments: the centre of pressure then follows from the motion.

    Pressure outside of the sole tips the foot, and on its very edge it tilts: where the contact
    tells its `half_size`, a goal beyond `REACHED` of it leads there, and the task complains.
    """

    command_kind = CommandKind.INTERNAL_FORCE
    needs_reactions = True
    writes_velocity = True  # a moment between contacts has none

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot, len(AXES), AXES)
        contact = {"kind": Kind.TEXT, "access": Access.CONFIGURATION}
        self.contact = self.declare(
            "contact", "", description="flat contact constraint of the sole", **contact
        )
        self.support = self.declare(
            "support",
            "",
            description="flat contact that takes the opposite moment; empty: all others together",
            **contact,
        )
        vector = {"shape": (2,), "labels": AXES, "unit": "m"}
        self.goal = self.declare(
            "goal_position",
            (0.0, 0.0),
            description="where it shall be in the sole, relative to the contact point",
            **vector,
        )
        self.actual = self.declare("actual_position", (0.0, 0.0), access=Access.OUTPUT, **vector)
        self.normal_force = self.declare(
            "normal_force",
            0.0,
            unit="N",
            access=Access.OUTPUT,
            description="force of the ground along the sole's normal",
        )
        self.controller = ForceController(
            self, len(AXES), labels=AXES, unit="m", law=LawKind.FORCE_FEEDBACK
        )
        self._index = 0
        self._led_to: Array = np.zeros(len(AXES))
        self._motion = FramePoint(robot.nv)
        self._other = FramePoint(robot.nv)
        self._support_frame: int | None = None

    def configure(self) -> None:
        """Resolve the contacts.

        Raises:
            ParameterError: A contact is unknown, takes no moments, or supports itself.
        """
        super().configure()
        self._index = self.resolve_flat_contact(self.contact)
        if self.support.value:
            other = self.resolve_flat_contact(self.support)
            if other == self._index:
                raise ParameterError(
                    f"{self.support.full_name}: found {self.support.value!r}, expected another "
                    "contact than the task's own"
                )
            self._support_frame = self.robot.contacts[other].frame

    def complaint(self) -> str:
        """Tell which part of the goal lies outside of the sole, or too close to its edge."""
        goal, edge, is_used = self.goal.value, self._edge, self._is_used
        beyond = [
            f"{axis} = {goal[i]:.3g}, expected within ±{edge[i]:.3g}"
            for i, axis in enumerate(AXES)
            if is_used[i] and abs(goal[i]) > edge[i] > 0.0
        ]
        if not beyond:
            return ""
        return (
            f"{self.goal.full_name} lies outside of the sole or on its edge: found "
            f"{'; '.join(beyond)} [m], {REACHED:.0%} of the half_size of {self.contact_name!r}; "
            "the pressure is led no further"
        )

    @property
    def lacks_size(self) -> bool:
        """Whether nobody knows how large the sole is."""
        return not self.robot.contacts[self._index].half_size.all()

    @property
    def contact_name(self) -> str:
        """Name of the contact."""
        return self.robot.contacts[self._index].name

    @property
    def _is_used(self) -> Array:
        P = self.projection
        return np.ones(len(AXES)) if P is None else np.abs(P).sum(axis=0)

    @property
    def _edge(self) -> list[float]:
        """How far the pressure is led along each axis [m]; zero: nobody knows."""
        return [REACHED * half for half in self.robot.contacts[self._index].half_size.tolist()]

    def _error(self, state: TaskState, error: Array) -> None:
        for i, (goal, edge) in enumerate(zip(self.goal.value.tolist(), self._edge, strict=True)):
            self._led_to[i] = min(max(goal, -edge), edge) if edge > 0.0 else goal
        np.subtract(self._led_to, state.actual, out=error)

    def shapes(self) -> tuple[Shape, ...]:
        """Points of the sole."""
        site = self.robot.contacts[self._index]
        return (
            Shape(
                ShapeKind.PLANE_POINT,
                self.goal,
                self.actual,
                site.frame,
                body=site.frame,
                body_point=site.point,
            ),
        )

    def _update(self, model: RobotModel, state: TaskState) -> None:
        site = self.robot.contacts[self._index]
        self._motion.update(model, site.frame, site.point)
        rotation = self._motion.rotation
        wrench = model.state.contact_wrench[self._index]
        force, moment = rotation.T @ wrench[:3], rotation.T @ wrench[3:]
        state.jacobian.fill(0.0)
        state.actual.fill(np.nan)
        normal = float(force[2])
        self.normal_force.value = normal
        if not normal > LEAST_FORCE:
            return
        state.actual[0] = -moment[1] / normal
        state.actual[1] = moment[0] / normal
        turning = self._motion.angular_jacobian
        if self._support_frame is not None:
            self._other.update(model, self._support_frame, site.point)
            turning = turning - self._other.angular_jacobian
        np.matmul(normal * rotation[:, 1], turning, out=state.jacobian[0])
        np.matmul(-normal * rotation[:, 0], turning, out=state.jacobian[1])
