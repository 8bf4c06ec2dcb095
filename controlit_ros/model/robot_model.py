"""RobotModel: kinematics and dynamics at one state."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pinocchio as pin

from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription
from controlit_ros.model.robot_state import RobotState

Array = npt.NDArray[np.float64]
WORLD_ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class CenterOfMassMotion(NamedTuple):
    """Centre of mass in the world: position [m] and `J̇ v` [m/s²], `(3,)` each."""

    position: Array
    bias: Array


class RobotModel:
    """Rigid-body model of the robot, updated to one state at a time (paper section 4.2).

    Arrays are allocated once. `q = [base position, base quaternion xyzw, joints]`, with the pair
    (cos, sin) for a continuous joint; `v = [base twist in the root link frame, joints]`.

    Attributes:
        state: The robot state the model was last updated to.
        q: `(nq,)` configuration.
        v: `(nv,)` velocity.
        A: `(nv, nv)` joint space inertia, rotor inertia included [kg m²].
        B: `(nv,)` Coriolis and centrifugal efforts [N m].
        G: `(nv,)` gravity efforts [N m].
        BG: `(nv,)` `B + G`.
        compensation: `(nv,)` `B + G` without the gravity of joints in `gravity_compensation_mask`.
    """

    def __init__(self, description: RobotDescription) -> None:
        self.description = description
        self._model = description.pinocchio
        self._data = self._model.createData()
        self.state = RobotState(description.real_joints)
        self.q: Array = pin.neutral(self._model)
        nv = description.nv
        self.v: Array = np.zeros(nv)
        self._no_acceleration: Array = np.zeros(nv)
        self.A: Array = np.zeros((nv, nv))
        self.B: Array = np.zeros(nv)
        self.G: Array = np.zeros(nv)
        self.BG: Array = np.zeros(nv)
        self.compensation: Array = np.zeros(nv)
        joints = [self._model.joints[i] for i in range(2, self._model.njoints)]
        single = [i for i, joint in enumerate(joints) if joint.nq == 1]
        turning = [i for i, joint in enumerate(joints) if joint.nq == 2]
        self._single = np.array(single, dtype=np.intp)
        self._single_q = np.array([joints[i].idx_q for i in single], dtype=np.intp)
        self._turning = np.array(turning, dtype=np.intp)
        self._turning_q = np.array([joints[i].idx_q for i in turning], dtype=np.intp)

    def update(self, state: RobotState) -> None:
        """Compute kinematics and dynamics at a measured state."""
        if state is not self.state:
            self.state.copy_from(state)
        self._assemble()
        model, data, q, v = self._model, self._data, self.q, self.v
        pin.nonLinearEffects(model, data, q, v)
        pin.computeGeneralizedGravity(model, data, q)
        pin.crba(model, data, q)
        pin.forwardKinematics(model, data, q, v, self._no_acceleration)
        pin.computeJointJacobians(model, data)
        np.copyto(self.A, data.M)
        mask = self.description.coupling_mask
        if mask is not None:
            self.A *= mask
        np.copyto(self.BG, data.nle)
        np.copyto(self.G, data.g)
        np.subtract(self.BG, self.G, out=self.B)
        np.multiply(self.G, self.description.gravity_mask, out=self.compensation)
        self.compensation += self.B

    def placement(self, frame: int) -> pin.SE3:
        """Return a frame's placement in the world."""
        return pin.updateFramePlacement(self._model, self._data, frame)

    def jacobian(self, frame: int) -> Array:
        """Return a frame's Jacobian `(6, nv)`: linear then angular, world-aligned at its origin."""
        jacobian: Array = pin.getFrameJacobian(self._model, self._data, frame, WORLD_ALIGNED)
        return jacobian

    def bias_acceleration(self, frame: int) -> Array:
        """Return `J̇ v` of a frame, `(6,)`: classical linear then angular [m/s², rad/s²]."""
        acceleration = pin.getFrameClassicalAcceleration(
            self._model, self._data, frame, WORLD_ALIGNED
        )
        bias: Array = acceleration.vector
        return bias

    def center_of_mass(self) -> CenterOfMassMotion:
        """Return where the centre of mass is and its bias acceleration."""
        pin.centerOfMass(self._model, self._data, pin.KinematicLevel.ACCELERATION, False)
        return CenterOfMassMotion(self._data.com[0], self._data.acom[0])

    def center_of_mass_jacobian(self) -> Array:
        """Return the Jacobian of the centre of mass, `(3, nv)`, world axes."""
        jacobian: Array = pin.jacobianCenterOfMass(self._model, self._data, False)
        return jacobian

    def _assemble(self) -> None:
        state, q = self.state, self.q
        q[0:3] = state.base_position
        q[3:7] = state.base_orientation
        q[self._single_q] = state.position[self._single]
        if self._turning.size:
            angle = state.position[self._turning]
            q[self._turning_q] = np.cos(angle)
            q[self._turning_q + 1] = np.sin(angle)
        self.v[:BASE_DOFS] = state.base_velocity
        self.v[BASE_DOFS:] = state.velocity
