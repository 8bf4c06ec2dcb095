"""RobotDescription: the part of a robot's model that never changes."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Flags
from controlit_ros.errors import did_you_mean
from controlit_ros.model.contact_site import ContactSite
from controlit_ros.model.inertial_unit import InertialUnit
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.robot_state import Buffer, RobotState
from controlit_ros.model.urdf_check import check_urdf
from controlit_ros.model.urdf_document import read_urdf
from controlit_ros.model.wrench_sensor import Mount, WrenchSensor

BASE_DOFS = 6
FIRST_JOINT = 2  # Pinocchio's number of the first real joint, after the universe and the base
SLIDING = "JointModelP"  # how Pinocchio's names of prismatic joints begin
ADDED_JOINT = "root_joint"  # Pinocchio's name for the floating base that no URDF names
STANDARD_GRAVITY = (0.0, 0.0, -9.81)  # [m/s²]
NO_INERTIA = 1e-9  # [kg] or [kg m²] below that of a grain of sand, above rounding
LARGEST_INERTIA = 1e9  # [kg m²] or [kg] of a drive: that of a large ship's rudder is less
SINGULAR_INERTIA = 1e-12  # [-] smallest eigenvalue of the inertia matrix scaled to unit diagonal


class UnknownBodyError(ModelError):
    """No link or joint has that name; the text lists the nearest."""


class UnknownJointError(ModelError):
    """No moving joint has that name; the text lists the nearest."""


class UnknownContactError(ModelError):
    """No contact constraint has that name; the text lists the nearest."""


class ModelOptions(NamedTuple):
    """How a controller wants its model (paper, appendix B).

    Attributes:
        coupled_joint_groups: Groups of real joints; inertia between two groups is zeroed. Joints
            in no group form one more, together with the base.
        gravity_compensation_mask: Real joints whose gravity effort is not compensated.
        world_gravity: Gravity in the world frame [m/s²].
        rotor_inertia: Reflected rotor inertia by joint, rotor inertia times gear ratio squared
            [kg m²].
        passive_joints: Real joints without an actuator.
        slaves: Real joints driven by a transmission instead of an actuator of their own.
    """

    coupled_joint_groups: tuple[tuple[str, ...], ...] = ()
    gravity_compensation_mask: tuple[str, ...] = ()
    world_gravity: tuple[float, float, float] = STANDARD_GRAVITY
    rotor_inertia: Mapping[str, float] = {}
    passive_joints: tuple[str, ...] = ()
    slaves: tuple[str, ...] = ()


class RobotDescription:
    """Structure of a robot read from its URDF.

    The root link always floats: six virtual degrees of freedom come first (a free-flyer, so that no
    attitude is singular), whether the URDF names them or not.

    Args:
        urdf: Text of the robot description.
        options: How the controller wants its model.

    Attributes:
        urdf: Text that libraries read, of one namespace; see `UrdfDocument`.
        real_joints: All moving joints, in model order.
        actuable_joints: Real joints with an actuator or a transmission.
        command_joints: Actuable joints that are no slave of a transmission; the rows of `U`.
        nq, nv: Sizes of configuration and velocity.
        is_sliding: `(n,)` whether a real joint is prismatic.
        contacts: Where the robot may touch the world, enabled or not; none until `with_contacts`.
        sensors: What measures the wrenches of contacts, in the order of the contacts.
        imu: The unit that measures how the root link moves; `None`: there is none.

    Raises:
        ModelError: The URDF cannot be read, has unsupported joints, or an option does not fit it.
    """

    def __init__(self, urdf: str, options: ModelOptions | None = None) -> None:
        self.options = options or ModelOptions()
        self.contacts: tuple[ContactSite, ...] = ()
        self.sensors: tuple[WrenchSensor, ...] = ()
        self.imu: InertialUnit | None = None
        self.pinocchio = _build(urdf)
        self.urdf = read_urdf(urdf).text
        model = self.pinocchio
        self.nq: int = model.nq
        self.nv: int = model.nv
        self.real_joints: tuple[str, ...] = tuple(model.names[FIRST_JOINT:])
        self._real_index = {name: i for i, name in enumerate(self.real_joints)}
        self._select_joints()
        self.lower_limits = np.full(len(self.real_joints), -np.inf)
        self.upper_limits = np.full(len(self.real_joints), np.inf)
        self._read_limits()
        self.velocity_limits = np.array(model.velocityLimit[BASE_DOFS:])
        self.effort_limits = np.array(model.effortLimit[BASE_DOFS:])
        kinds = [joint.shortname() for joint in model.joints.tolist()[FIRST_JOINT:]]
        self.is_sliding: Flags = np.array([kind.startswith(SLIDING) for kind in kinds], dtype=bool)
        self.rotor_inertia = np.zeros(len(self.real_joints))
        self._known(tuple(self.options.rotor_inertia), "rotor_inertia")
        for joint, inertia in self.options.rotor_inertia.items():
            if not 0.0 <= inertia <= LARGEST_INERTIA:
                raise ModelError(
                    f"rotor_inertia: found {inertia:g} for {joint!r}, expected a number from 0 to "
                    f"{LARGEST_INERTIA:g}"
                )
            self.rotor_inertia[self.joint_index(joint)] = inertia
        model.armature[BASE_DOFS:] = self.rotor_inertia
        model.gravity.linear = np.asarray(self.options.world_gravity, dtype=float)
        model.gravity.angular = np.zeros(3)
        self.coupling_mask = self._coupling_mask()
        self.gravity_mask = np.ones(self.nv)
        masked = self._known(self.options.gravity_compensation_mask, "gravity_compensation_mask")
        self.gravity_mask[self.indices(masked) + BASE_DOFS] = 0.0
        bodies = [frame for frame in model.frames if frame.type == pin.FrameType.BODY]
        self.link_names: tuple[str, ...] = tuple(body.name for body in bodies)
        self.root_link = next(body.name for body in bodies if body.parentJoint == 1)
        self._frames = self._index_frames()
        self._check_inertia()

    def with_slaves(self, slaves: Sequence[str]) -> "RobotDescription":
        """Return the same robot with other slaves of transmissions.

        Raises:
            UnknownJointError: A slave is no moving joint.
        """
        other = copy(self)
        other.options = self.options._replace(slaves=tuple(slaves))
        other._select_joints()  # noqa: SLF001 - the same class
        return other

    def with_limits(
        self, lower: np.ndarray, upper: np.ndarray, velocity: np.ndarray
    ) -> "RobotDescription":
        """Return the same robot with other limits of its real joints, each `(n,)`."""
        other = copy(self)
        other.lower_limits, other.upper_limits, other.velocity_limits = lower, upper, velocity
        return other

    def with_contacts(self, contacts: Sequence[ContactSite]) -> "RobotDescription":
        """Return the same robot with other contacts."""
        other = copy(self)
        other.contacts = tuple(contacts)
        other.sensors = tuple(self.sensor_at(site) for site in contacts if site.is_sensed)
        return other

    def with_imu(self, imu: InertialUnit | None) -> "RobotDescription":
        """Return the same robot with another inertial measurement unit, or none."""
        other = copy(self)
        other.imu = imu
        return other

    def create_state(self, memory: Callable[[int], Buffer] = bytearray) -> RobotState:
        """Return a new state of this robot with its sensors and contacts."""
        return RobotState(
            self.real_joints,
            memory,
            sensors=len(self.sensors),
            contacts=len(self.contacts),
            imus=int(self.imu is not None),
        )

    def contact_index(self, contact: str) -> int:
        """Return the index of a contact among `contacts`.

        Raises:
            UnknownContactError: No contact constraint has that name.
        """
        names = [site.name for site in self.contacts]
        if contact not in names:
            hint = did_you_mean(contact, names) if names else "; there is none in the constraints"
            raise UnknownContactError(f"unknown contact {contact!r}{hint}")
        return names.index(contact)

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Every name that `frame_id` knows: links, then joints."""
        return tuple(self._frames)

    def frame_id(self, body: str) -> int:
        """Return Pinocchio's frame of a link, or of a joint's child body at the joint's frame.

        Raises:
            UnknownBodyError: No link or joint has that name.
        """
        try:
            return self._frames[body]
        except KeyError:
            hint = did_you_mean(body, self._frames)
            raise UnknownBodyError(f"unknown body {body!r}{hint}") from None

    def joint_index(self, joint: str) -> int:
        """Return the index of a joint among the real joints.

        Raises:
            UnknownJointError: No moving joint has that name.
        """
        try:
            return self._real_index[joint]
        except KeyError:
            hint = did_you_mean(joint, self.real_joints)
            raise UnknownJointError(f"unknown joint {joint!r}{hint}") from None

    def indices(self, joints: Sequence[str]) -> np.ndarray:
        """Return the indices of several joints among the real joints, `(len(joints),)`."""
        return np.array([self.joint_index(joint) for joint in joints], dtype=np.intp)

    def link_at(self, frame: int) -> str:
        """Return the link of a frame that `frame_id` gave; of a joint, the child's."""
        frames = self.pinocchio.frames
        if frames[frame].type == pin.FrameType.BODY:
            return str(frames[frame].name)
        return next(
            str(body.name)
            for body in frames
            if body.type == pin.FrameType.BODY and body.parentFrame == frame
        )

    def sensor_at(self, site: ContactSite) -> WrenchSensor:
        """Return a sensor for what a contact bears, whether the robot has one there or not."""
        frames = self.pinocchio.frames
        touching = frames[site.frame]
        bodies = [frame for frame in frames if frame.type == pin.FrameType.BODY]
        link = self.link_at(site.frame)
        mounts = []
        for body in bodies:
            if body.parentJoint == touching.parentJoint:
                place = touching.placement.actInv(body.placement)
                turn = pin.Quaternion(place.rotation).coeffs()
                position, orientation = place.translation.tolist(), turn.tolist()
                mounts.append(Mount(body.name, tuple(position), tuple(orientation)))
        return WrenchSensor(site.name, link, tuple(site.point.tolist()), tuple(mounts))

    def _select_joints(self) -> None:
        passive = set(self._known(self.options.passive_joints, "passive_joints"))
        slaves = set(self._known(self.options.slaves, "slaves"))
        self.actuable_joints = tuple(j for j in self.real_joints if j not in passive)
        self.command_joints = tuple(j for j in self.actuable_joints if j not in slaves)
        self.actuable_indices = self.indices(self.actuable_joints)
        self.command_indices = self.indices(self.command_joints)
        self.command_dofs = self.command_indices + BASE_DOFS

    def _known(self, joints: Sequence[str], option: str) -> Sequence[str]:
        for joint in joints:
            try:
                self.joint_index(joint)
            except UnknownJointError as error:
                raise UnknownJointError(f"{option}: {error}") from None
        return joints

    def _read_limits(self) -> None:
        model = self.pinocchio
        for i in range(len(self.real_joints)):
            joint = model.joints[FIRST_JOINT + i]
            if joint.nq == 1:
                self.lower_limits[i] = model.lowerPositionLimit[joint.idx_q]
                self.upper_limits[i] = model.upperPositionLimit[joint.idx_q]
            if self.lower_limits[i] > self.upper_limits[i]:
                raise ModelError(
                    f"joint {self.real_joints[i]!r} has the limits {self.lower_limits[i]:g} to "
                    f"{self.upper_limits[i]:g}, expected the lower one first"
                )

    def _coupling_mask(self) -> np.ndarray | None:
        groups = self.options.coupled_joint_groups
        if not groups:
            return None
        group_of = np.zeros(self.nv, dtype=int)
        for number, group in enumerate(groups, start=1):
            for joint in self._known(group, "coupled_joint_groups"):
                dof = self.joint_index(joint) + BASE_DOFS
                if group_of[dof]:
                    raise ModelError(f"coupled_joint_groups: {joint!r} stands in two groups")
                group_of[dof] = number
        mask: np.ndarray = (group_of[:, None] == group_of[None, :]).astype(float)
        return mask

    def _index_frames(self) -> dict[str, int]:
        model = self.pinocchio
        frames = {name: model.getFrameId(name, pin.FrameType.BODY) for name in self.link_names}
        joint_types = (pin.FrameType.JOINT, pin.FrameType.FIXED_JOINT)
        for index, frame in enumerate(model.frames):
            is_named = index > 0 and (frame.parentJoint != 1 or frame.type != pin.FrameType.JOINT)
            if is_named and frame.type in joint_types and frame.name not in frames:
                frames[frame.name] = index
        return frames

    def _check_inertia(self) -> None:
        model = self.pinocchio
        inertia = pin.crba(model, model.createData(), pin.neutral(model))
        diagonal = inertia.diagonal()
        names = [f"the root link {self.root_link!r}"] * BASE_DOFS
        names += [f"joint {joint!r}" for joint in self.real_joints]
        weightless = dict.fromkeys(
            name for name, value in zip(names, diagonal, strict=True) if not value > NO_INERTIA
        )
        if weightless:
            raise ModelError(
                f"nothing with inertia moves with {', '.join(weightless)}; expected links with "
                "mass and inertia, or rotor inertia"
            )
        scale = np.sqrt(diagonal)
        if np.linalg.eigvalsh(inertia / np.outer(scale, scale))[0] < SINGULAR_INERTIA:
            raise ModelError(
                "the robot's inertia matrix is singular; expected every link that moves by itself "
                "to have mass and inertia, or rotor inertia"
            )


def moving_joints(urdf: str) -> tuple[str, ...]:
    """Return the names of all moving joints of a robot description, in model order.

    Raises:
        ModelError: The description cannot be read.
    """
    return tuple(_build(urdf).names[FIRST_JOINT:])


def _build(urdf: str) -> pin.Model:
    return pin.Model(_built(urdf))


@lru_cache(maxsize=2)
def _built(urdf: str) -> pin.Model:
    """Read a description; who asks for its joints first asks for the rest just after."""
    check_urdf(urdf)
    urdf = read_urdf(urdf).text
    try:
        model = pin.buildModelFromXML(urdf)
        if model.njoints > 1 and model.joints[1].shortname() == "JointModelFreeFlyer":
            # the state of a floating base is its pose in the world, wherever the joint's frame is
            model.jointPlacements[1] = pin.SE3.Identity()
            return model
        model = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer())
    except (ValueError, RuntimeError, IndexError) as error:
        raise ModelError(
            f"the robot description is no valid URDF: {str(error).strip()} "
            "(the parser wrote the reason to the standard error output)"
        ) from None
    if list(model.names).count(ADDED_JOINT) > 1:
        raise ModelError(
            f"the robot description has a joint {ADDED_JOINT!r}; expected another name, as this "
            "one stands for the floating base"
        )
    return model
