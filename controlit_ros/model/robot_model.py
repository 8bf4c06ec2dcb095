"""RobotModel: kinematics and dynamics at one state."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array, Flags
from controlit_ros.finite import NotFiniteError, is_finite
from controlit_ros.kernels import bind, center_of_mass, rigid_bodies, sensed_wrench
from controlit_ros.model.body_tree import BodyTree
from controlit_ros.model.contact_site import ContactSite
from controlit_ros.model.robot_description import BASE_DOFS, FIRST_JOINT, RobotDescription
from controlit_ros.model.robot_state import RobotState
from controlit_ros.model.wrench_sensor import WrenchSensor

WORLD_ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class CenterOfMassMotion(NamedTuple):
    """Centre of mass in the world; of one model, always the same memory.

    Attributes:
        position: `(3,)` [m].
        velocity: `(3,)` `J v` [m/s].
        bias: `(3,)` `J̇ v` [m/s²].
        jacobian: `(3, nv)` J.
    """

    position: Array
    velocity: Array
    bias: Array
    jacobian: Array


class CentroidalMotion(NamedTuple):
    """How the momentum about the centre of mass depends on the motion; world axes.

    Attributes:
        map: `(6, nv)` A_G: linear momentum [kg m/s], then angular momentum [kg m²/s], are `A_G v`.
        bias: `(6,)` their rate at `v̇ = 0`, `Ȧ_G v` [N, N m].
    """

    map: Array
    bias: Array


@dataclass(eq=False, frozen=True)
class Body:
    """Where a frame is attached and what moves it; of one model, always the same memory.

    Attributes:
        J: `(nv, 6)` the model's.
        J_rate: `(nv, 6)` its dJ.
        v: `(nv,)` the model's.
        rotation: `(3, 3)` axes of the joint that carries the frame, Pinocchio's own memory.
        translation: `(3,)` origin of that joint in the world, likewise [m].
        frame: `(4, 3)` rotation of the frame in the joint, then its origin.
        moves: `(nv,)` which degrees of freedom move it.
    """

    J: Array
    J_rate: Array
    v: Array
    rotation: Array
    translation: Array
    frame: Array
    moves: Flags

    @property
    def point_motion(self) -> tuple[Array | Flags, ...]:
        """What `kernels.position_motion` and `kernels.frame_motion` begin with."""
        moved = (self.rotation, self.translation, self.frame, self.moves)
        return self.J, self.J_rate, self.v, *moved

    @property
    def turning_motion(self) -> tuple[Array | Flags, ...]:
        """What `kernels.heading_motion` and `kernels.rotation_motion` begin with."""
        return self.J, self.J_rate, self.v, self.rotation, self.frame, self.moves


class PlacedSensor(NamedTuple):
    """A sensor of a contact's wrench.

    Attributes:
        contact: Number of the contact.
        point: `(3,)` where the moment is measured, in the frame of the touching body [m].
        site: Of the contact, at whose touching point it is wanted.
    """

    contact: int
    point: Array
    site: ContactSite


class RobotModel:
    """Rigid-body model of the robot, updated to one state at a time (paper section 4.2).

    Arrays are allocated once; those that are in Pinocchio's data are its own memory, so that
    whatever it computes from them is asked of it. `kernels.rigid_bodies` writes them.
    `q = [base position, base quaternion xyzw, joints]`, with the pair (cos, sin) for a continuous
    joint; `v = [base twist in the root link frame, joints]`.

    Attributes:
        state: The robot state the model was last updated to. Its `contact_wrench` is what is
            sensed, and where nothing is, what came with the state: the expected one.
        is_sensed: `(contacts,)` whether the wrench of each contact is sensed.
        q: `(nq,)` configuration.
        v: `(nv,)` velocity.
        J: `(nv, 6)` velocity that each degree of freedom gives its body: linear of the point at
            the world's origin, then angular, world axes; rows in place of columns.
        dJ: `(nv, 6)` time derivative of J.
        A: `(nv, nv)` joint space inertia, rotor inertia included [kg m²].
        BG: `(nv,)` `B + G`, Coriolis, centrifugal and gravity efforts [N m].
        compensation: `(nv,)` `B + G` without the gravity of joints in `gravity_compensation_mask`.
        kernel: Computes all that `update` computes of what `take` took, but for the masks.
        is_compiled: Whether there is no mask, so that `kernel` and `sense` are all of `update`.
    """

    def __init__(self, description: RobotDescription) -> None:
        self.description = description
        self._model = description.pinocchio
        self._data = self._model.createData()
        contacts = len(description.contacts)
        self.state = description.create_state()
        self.is_sensed = np.zeros(contacts, dtype=np.bool_)
        self._sensors = tuple(_placed(description, sensor) for sensor in description.sensors)
        self.q: Array = pin.neutral(self._model)
        nv = description.nv
        self.v: Array = np.zeros(nv)
        self.J: Array = self._data.J.T
        self.dJ: Array = self._data.dJ.T
        self._bodies: dict[int, Body] = {}
        self._moves: dict[int, Flags] = {}
        self._masks_gravity = bool((description.gravity_mask != 1.0).any())
        mask = description.coupling_mask
        self._M: Array = self._data.M.T  # symmetric: the transposed memory is in C order
        self.A: Array = self._M if mask is None else np.zeros((nv, nv))
        self.BG: Array = self._data.nle
        self.compensation: Array = np.zeros(nv) if self._masks_gravity else self.BG
        self._M.fill(0.0)  # joints of different branches stay apart
        self._gravity: Array = np.array(self._model.gravity.linear)
        tree, own = BodyTree(self._model, self._data), self.state
        self.is_compiled = mask is None and not self._masks_gravity
        self.kernel = bind(
            rigid_bodies,
            own.base_position,
            own.base_orientation,
            own.base_velocity,
            own.position,
            own.velocity,
            self._gravity,
            tree.plan,
            tree.shape,
            self.q,
            self.v,
            self.J,
            self.dJ,
            self._M,
            self.BG,
            tree.work,
        )
        twists: Array = np.zeros((3, 3))
        place, velocity, bias = twists
        self._center = CenterOfMassMotion(place, velocity, bias, np.zeros((3, nv)))
        base = self._data.oMi[1]
        self._move_center = bind(
            center_of_mass,
            base.rotation,
            base.translation,
            self._M,
            self.BG,
            self.v,
            self._gravity,
            twists,
            self._center.jacobian,
        )

    def update(self, state: RobotState) -> None:
        """Compute kinematics and dynamics at a measured state.

        Raises:
            NotFiniteError: There are none.
        """
        self.take(state)
        is_finite = self.kernel()
        mask = self.description.coupling_mask
        if mask is not None:
            np.multiply(self._M, mask, out=self.A)
        if self._masks_gravity:
            np.multiply(self.G, self.description.gravity_mask - 1.0, out=self.compensation)
            self.compensation += self.BG
        if not is_finite:
            self._raise_not_finite()
        self.sense()

    def take(self, state: RobotState) -> None:
        """Take over a measured state; the beginning of `update`."""
        if state is not self.state:
            self.state.copy_from(state)

    def sense(self) -> None:
        """Let what is sensed of contacts replace what is expected; the end of `update`."""
        if self._sensors:
            self._take_sensed_wrenches()

    def _raise_not_finite(self) -> None:
        parts = {"effort B + G": self.BG, "inertia A": self._M, "configuration q": self.q}
        for what, values in (parts | {"velocity v": self.v}).items():
            if not is_finite(values):
                raise NotFiniteError("the robot's model at this state", what, values)

    @property
    def G(self) -> Array:  # noqa: N802 - the paper's symbol
        """Gravity efforts, `(nv,)` [N m]; computed when asked for."""
        gravity: Array = np.array(pin.computeGeneralizedGravity(self._model, self._data, self.q))
        return gravity

    @property
    def B(self) -> Array:  # noqa: N802 - the paper's symbol
        """Coriolis and centrifugal efforts, `(nv,)` [N m]; computed when asked for."""
        centrifugal: Array = self.BG - self.G
        return centrifugal

    def body(self, frame: int) -> Body:
        """Return what the motion of a frame's points is computed from, kept up to date."""
        if frame not in self._bodies:
            self._bodies[frame] = self._describe(frame)
        return self._bodies[frame]

    def placement(self, frame: int) -> pin.SE3:
        """Return a frame's placement in the world."""
        return pin.updateFramePlacement(self._model, self._data, frame)

    def joint_placement(self, joint: int) -> pin.SE3:
        """Return the placement in the world of the body that a real joint moves, at the joint."""
        return self._data.oMi[FIRST_JOINT + joint]

    def joint_motion(self, joint: int) -> Flags:
        """Return which degrees of freedom move the body at one of Pinocchio's joints, `(nv,)`."""
        if joint not in self._moves:
            self._moves[joint] = self._moving(joint)
        return self._moves[joint]

    def place_shapes(self, geometry: pin.GeometryModel, data: pin.GeometryData) -> None:
        """Write where shapes of the robot's bodies are into Pinocchio's data of them."""
        pin.updateGeometryPlacements(self._model, self._data, geometry, data)

    def jacobian(self, frame: int) -> Array:
        """Return a frame's Jacobian `(6, nv)`: linear then angular, world-aligned at its origin."""
        jacobian: Array = pin.getFrameJacobian(self._model, self._data, frame, WORLD_ALIGNED)
        return jacobian

    def center_of_mass(self) -> CenterOfMassMotion:
        """Return how the centre of mass moves; the next call writes to the same memory."""
        self._move_center()
        return self._center

    def centroidal_motion(self) -> CentroidalMotion:
        """Return how the momentum about the centre of mass moves.

        The rows of inertia and of `B + G` that belong to the base are the momentum of the robot
        and its rate about the base, in the axes of the base; with c the centre of mass from there
        and R its axes,

            A_G = [R M_l; R (M_a − c × M_l)],    Ȧ_G v = [R b_l + m g; R (b_a − c × b_l)]

        (Orin, Goswami, Lee: Centroidal dynamics of a humanoid robot, Autonomous Robots 35, 2013).
        """
        M, b = self._M[:BASE_DOFS], self.BG[:BASE_DOFS]
        mass = M[0, 0]
        x, y, z = M[1, 5] / mass, M[2, 3] / mass, M[0, 4] / mass
        moment = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        R = self._data.oMi[1].rotation
        A_G = np.vstack([R @ M[:3], R @ (M[3:] - moment @ M[:3])])
        bias = np.concatenate([R @ b[:3], R @ (b[3:] - moment @ b[:3])])
        bias[:3] += mass * self._model.gravity.linear
        return CentroidalMotion(A_G, bias)

    @property
    def mass(self) -> float:
        """Of the whole robot [kg]."""
        return float(self._M[0, 0])

    def _take_sensed_wrenches(self) -> None:
        state = self.state
        for i, sensor in enumerate(self._sensors):
            site = sensor.site
            body = self.body(site.frame)
            rotation = body.rotation @ body.frame[:3] if site.radius else body.rotation
            self.is_sensed[sensor.contact] = sensed_wrench(
                body.rotation,
                body.frame,
                state.sensed_wrench[i],
                sensor.point,
                site.touching_point(rotation),
                state.contact_wrench[sensor.contact],
            )

    def _describe(self, frame: int) -> Body:
        joint = self._model.frames[frame].parentJoint
        placement = self._model.frames[frame].placement
        return Body(
            J=self.J,
            J_rate=self.dJ,
            v=self.v,
            rotation=self._data.oMi[joint].rotation,
            translation=self._data.oMi[joint].translation,
            frame=np.array([*placement.rotation, placement.translation]),
            moves=self.joint_motion(joint),
        )

    def _moving(self, joint: int) -> Flags:
        moves = np.zeros(self.description.nv, dtype=np.bool_)
        for support in self._model.supports[joint]:
            if support > 0:
                start = self._model.idx_vs[support]
                moves[start : start + self._model.nvs[support]] = True
        return moves


def _placed(description: RobotDescription, sensor: WrenchSensor) -> PlacedSensor:
    contact = description.contact_index(sensor.contact)
    site = description.contacts[contact]
    return PlacedSensor(contact, np.array(sensor.point), site)
