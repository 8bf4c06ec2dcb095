"""CartesianImpedance: a body that yields like a spring, a damper and a mass."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import ParameterError
from controlit_ros.tasks.cartesian_pose import COMPONENTS, CartesianPose
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.dynamics import Dynamics
from controlit_ros.tasks.felt_wrench import FeltWrench
from controlit_ros.tasks.impedance_controller import ImpedanceController


class CartesianImpedance(CartesianPose):
    """A frame that is drawn to its goal as by a spring, and yields to who pushes it.

        F = stiffness e + damping (v_goal − v)

    Without `inertia` the body keeps the inertia that it has under the constraints, and nothing need
    be measured: with `Λ⁻¹ = J T Tᵀ Jᵀ` the rows accelerate by `Λ⁻¹ F`, and a push F_ext adds
    `Λ⁻¹ F_ext` by itself: `Λ ẍ = F + F_ext`. With `inertia` M, and `contact` that tells F_ext, they
    accelerate by `M⁻¹ (F + F_ext) − Λ⁻¹ F_ext`, so that `M ẍ = F + F_ext`; while the wrench is
    unknown the body keeps its own inertia. Hogan, Impedance control, 1985. In the axes of the
    goal's frame, which must not be pushed itself. Priorities hold: who pushes the body pushes the
    whole robot, but F moves nothing of the levels above.
    """

    command_kind = CommandKind.PUSH
    has_control_law = False
    is_referred = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        for parameter in {*self.controller.parameters, self.goal_acceleration}:
            assert parameter is not None
            self.retract(parameter)
        self.goal_acceleration = None
        n = len(COMPONENTS)
        self.controller = ImpedanceController(self, n, labels=COMPONENTS)
        self.inertia = self.controller.declare_gain(
            "inertia",
            "kg, kg m²",
            "mass, then inertia, that the body shall seem to have; 0: its own",
        )
        self.felt = FeltWrench(self, robot)
        self._place = FramePoint(robot.nv)
        self._wrench: Array = np.zeros(n)

    def configure(self) -> None:
        """Resolve the contact.

        Raises:
            ParameterError: It is unknown, or an inertia is given without one, or for a part only.
        """
        super().configure()
        self.felt.configure()
        self.needs_reactions = self.felt.is_stated
        self.inertia.fits = lambda proposed: self._check(
            self.inertia.after(proposed.get(self.inertia))
        )
        self._check(self.inertia.value)

    def _check(self, inertia: Array) -> None:
        P = np.eye(self.dimension) if self.projection is None else self.projection
        found = inertia[P.any(axis=0)] > 0.0
        if found.any() and not found.all():
            raise ParameterError(
                f"{self.inertia.full_name}: found {inertia.tolist()}, expected zeros alone, or "
                "numbers above 0 for every component the task acts on"
            )
        if found.any() and not self.felt.is_stated:
            raise ParameterError(
                f"{self.inertia.full_name}: found {inertia.tolist()} without "
                f"{self.felt.contact.full_name}; expected a contact with a wrench_sensor, or no "
                "inertia: then the body keeps its own"
            )

    def refer(self, dynamics: Dynamics, jacobian: Array, command: Array) -> None:  # noqa: ARG002 - it stays
        """Write what the wrench accelerates; see `Task.refer`."""
        whole = self.active.jacobian @ dynamics.task_map
        push, inertia = self.command.value, self.inertia.value
        if not (inertia > 0.0).any() or not self._feel(dynamics):
            self.select(whole @ (whole.T @ self._acting_part(push)), command)
            return
        wanted = np.zeros(self.dimension)
        np.divide(push + self._wrench, inertia, out=wanted, where=inertia > 0.0)
        wanted -= whole @ (whole.T @ self._wrench)
        self.select(wanted, command)

    def _acting_part(self, wrench: Array) -> Array:
        """Return the part of a wrench along what the task acts on, `(dimension,)`."""
        if self.projection is None:
            return wrench
        part: Array = self.projection.T @ (self.projection @ wrench)
        return part

    def _feel(self, dynamics: Dynamics) -> bool:
        """Write the felt wrench in the goal's frame; return whether it is known."""
        self._place.update(dynamics.model, self._frame, self.control_point.value)
        is_known = self.felt.update(dynamics.model, self._place.position)
        np.copyto(self._wrench, self.felt.wrench)
        if is_known and not self.goal_frame.is_world:
            to_frame = self.goal_frame.motion.rotation.T
            self._wrench[:3] = to_frame @ self.felt.wrench[:3]
            self._wrench[3:] = to_frame @ self.felt.wrench[3:]
        return is_known
