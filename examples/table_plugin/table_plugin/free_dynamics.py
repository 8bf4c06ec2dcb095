"""FreeDynamics: a simulated arm whose hand rests on a table."""

import numpy as np
import pinocchio as pin

from controlit_ros.plugins import (
    Command,
    RobotInterface,
    RobotInterfaceError,
    RobotSetup,
    RobotState,
)

STIFFNESS = 1e5  # [N/m] of the table
DAMPING = 400.0  # [N s/m] of the table
SUBSTEPS = 4  # a stiff table wants small steps


class FreeDynamics(RobotInterface):
    """Integrates the forward dynamics of a bolted arm, one servo period with every command.

    A link pushes on the plane z = `table_height` with a spring and a damper, without friction.
    `RobotState.stamp` is simulated time.
    """

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(setup, name)
        joints = setup.joint_names
        self._initial = self.declare_setting(
            "initial_position",
            0.0,
            "Posture at the start.",
            shape=(len(joints),),
            labels=joints,
            broadcast=True,
            unit="rad",
        )
        self._hand = self.declare_setting("hand", "", "Link that rests on the table.")
        self._height = self.declare_setting("table_height", 0.0, "Height of the table.", unit="m")

    def configure(self) -> None:
        """Build the model.

        Raises:
            RobotInterfaceError: The arm is not bolted, has transmissions, or has no such hand.
        """
        if not self.setup.fixed_base or self.setup.couplings:
            raise RobotInterfaceError("expected an arm bolted to the world, without transmissions")
        self._model = pin.buildModelFromXML(self.setup.urdf)
        self._model.gravity.linear = np.array(self.setup.gravity)
        self._data = self._model.createData()
        if not self._model.existFrame(self._hand.value):
            raise RobotInterfaceError(f"hand: there is no link {self._hand.value!r}")
        self._frame = self._model.getFrameId(self._hand.value)
        names = self.setup.joint_names
        self._order = [self._model.joints[self._model.getJointId(n)].idx_v for n in names]
        self._drives = [
            self._model.joints[self._model.getJointId(n)].idx_v for n in self.setup.command_names
        ]
        self._q = np.zeros(self._model.nq)
        self._v = np.zeros(self._model.nv)
        self._a = np.zeros(self._model.nv)
        self._effort = np.zeros(self._model.nv)
        self._cycle = 0

    def activate(self) -> None:
        """Put the arm into its posture."""
        self._q[self._order] = self._initial.value
        self._v.fill(0.0)
        self._cycle = 0

    def read(self, state: RobotState) -> bool:
        """Report the arm as it is."""
        np.take(self._q, self._order, out=state.position)
        np.take(self._v, self._order, out=state.velocity)
        np.take(self._a, self._order, out=state.acceleration)
        np.take(self._effort, self._order, out=state.effort)
        state.stamp = self._cycle / self.setup.servo_frequency
        state.sequence = self._cycle
        return True

    def write(self, command: Command) -> None:
        """Apply the efforts for one servo period."""
        self._effort[self._drives] = command.effort
        step = 1.0 / (self.setup.servo_frequency * SUBSTEPS)
        for _ in range(SUBSTEPS):
            total = self._effort + self._push_of_the_table()
            self._a[:] = pin.aba(self._model, self._data, self._q, self._v, total)
            self._v += step * self._a
            self._q[:] = pin.integrate(self._model, self._q, step * self._v)
        self._cycle += 1

    def deactivate(self) -> None:
        """Do nothing: without commands no time passes."""

    def _push_of_the_table(self) -> np.ndarray:
        jacobian = pin.computeFrameJacobian(
            self._model, self._data, self._q, self._frame, pin.LOCAL_WORLD_ALIGNED
        )[2]
        depth = self._height.value - self._data.oMf[self._frame].translation[2]
        if depth <= 0.0:
            return np.zeros(self._model.nv)
        force = STIFFNESS * depth - DAMPING * float(jacobian @ self._v)
        effort: np.ndarray = jacobian * max(force, 0.0)
        return effort
