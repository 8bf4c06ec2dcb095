"""Robots in contact, and their dynamics solved as one linear system."""

import mujoco
import numpy as np

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.model import RobotDescription, RobotState


def inertial(mass, size, center=(0.0, 0.0, 0.0)):
    x, y, z = size
    moments = mass / 12 * np.array([y * y + z * z, x * x + z * z, x * x + y * y])
    return (
        f'<inertial><origin xyz="{center[0]} {center[1]} {center[2]}"/><mass value="{mass}"/>'
        f'<inertia ixx="{moments[0]}" iyy="{moments[1]}" izz="{moments[2]}" ixy="0" ixz="0" '
        'iyz="0"/></inertial>'
    )


def box(size):
    x, y, z = size
    return f'<collision><geometry><box size="{x} {y} {z}"/></geometry></collision>'


def joint(name, parent, child, axis, origin):
    return (
        f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{origin[0]} {origin[1]} {origin[2]}"/>'
        f'<axis xyz="{axis[0]} {axis[1]} {axis[2]}"/>'
        '<limit lower="-3" upper="3" effort="500" velocity="20"/></joint>'
    )


FOOT = (0.24, 0.14, 0.04)
LEG_AXES = {"roll": (1, 0, 0), "pitch": (0, 1, 0), "yaw": (0, 0, 1)}


def biped():
    """Return a pelvis on two legs of six joints; the sole is 0.02 below each foot's frame."""
    parts = ['<robot name="biped">', f'<link name="pelvis">{inertial(12, (0.2, 0.3, 0.3))}</link>']
    for side, y in (("left", 0.12), ("right", -0.12)):
        chain = (
            ("hip_yaw", "yaw", (0, y, -0.1)),
            ("hip_roll", "roll", (0, 0, 0)),
            ("hip_pitch", "pitch", (0, 0, 0)),
            ("knee", "pitch", (0, 0, -0.35)),
            ("ankle_pitch", "pitch", (0, 0, -0.35)),
            ("ankle_roll", "roll", (0, 0, 0)),
        )
        parent = "pelvis"
        for name, axis, origin in chain:
            child = f"{side}_{name}_link"
            if name == "ankle_roll":
                child = f"{side}_foot"
                body = inertial(1.5, FOOT) + box(FOOT)
            else:
                size = (0.08, 0.08, 0.3)
                body = inertial(2.0, size, (0, 0, -0.15 if "pitch" in name else 0.0))
            parts.append(f'<link name="{child}">{body}</link>')
            parts.append(joint(f"{side}_{name}", parent, child, LEG_AXES[axis], origin))
            parent = child
    return "".join([*parts, "</robot>"])


BENT = {"hip_pitch": -0.4, "knee": 0.8, "ankle_pitch": -0.4}


def standing(description, height=0.0):
    """Return the biped's state with bent knees and both soles on the ground."""
    state = RobotState(description.real_joints, contacts=len(description.contacts))
    for i, name in enumerate(description.real_joints):
        state.position[i] = BENT.get(name.split("_", 1)[1], 0.0)
    state.base_position[2] = 0.1 + 2 * 0.35 * np.cos(0.4) + FOOT[2] / 2 + height
    return state


def biped_in_contact(kind=FlatContact, **parameters):
    """Return the biped, its constraints and a constrained model that knows its reactions.

    Args:
        kind: Of both contacts.
        parameters: Of both.
    """
    description = RobotDescription(biped())
    contacts = []
    for side in ("left", "right"):
        contact = kind(f"{side}_sole", description)
        contact.body.set(f"{side}_foot")
        contact.contact_point.set([0.0, 0.0, -FOOT[2] / 2])
        for name, value in parameters.items():
            contact.parameter(name).set(value)
        contact.configure()
        contacts.append(contact)
    description = description.with_contacts([contact.site for contact in contacts])
    constraints = ConstraintSet(contacts)
    constraints.with_reactions = True
    return description, constraints, ConstrainedModel(description, constraints)


def solve(model, effort):
    """Return joint accelerations and reactions `-λc` of equations 3 and 4, from one system."""
    robot = model.robot_model
    nv, nc = len(robot.v), len(model.Jc)
    system = np.zeros((nv + nc, nv + nc))
    system[:nv, :nv] = robot.A
    system[:nv, nv:] = -model.Jc.T
    system[nv:, :nv] = model.Jc
    drive = np.zeros(nv)
    drive[robot.description.command_dofs] = effort
    right = np.concatenate([drive - robot.BG, -model.Jc_bias])
    solution = np.linalg.lstsq(system, right, rcond=None)[0]
    return solution[:nv], solution[nv:]


def internal_effort(model, jacobian, command):
    """Return `L*ᵀ τ_internal` of equation 8, from the definitions."""
    exact = model.projections
    remaining = np.eye(len(exact.UNc)) - exact.UNc @ exact.UNc_bar
    dofs = model.robot_model.description.command_dofs
    return remaining.T @ (jacobian[:, dofs].T @ command)


class World:
    """A robot in MuJoCo, with a floor or a wall; effort in, state out.

    Args:
        description: The robot; its root link floats or is welded.
        planes: Position and quaternion wxyz of each plane.
        floats: Whether the root link moves.
        timestep: Of the simulation [s].
        friction: Whether surfaces hold sideways.
    """

    def __init__(self, description, planes, *, floats, timestep=1e-3, friction=True):
        spec = mujoco.MjSpec.from_string(description.urdf)
        spec.option.timestep = timestep
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        self.floats = floats
        for position, quaternion in planes:
            spec.worldbody.add_geom(
                type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], pos=position, quat=quaternion
            )
        if floats:
            spec.body(description.root_link).add_freejoint()
        self.model = spec.compile()
        if not friction:
            self.model.geom_condim[:] = 1
        self.data = mujoco.MjData(self.model)
        self.description = description
        self.joints = [self.model.joint(name) for name in description.real_joints]

    def place(self, state):
        """Put the robot where a state says."""
        if self.floats:
            self.data.qpos[:3] = state.base_position
            self.data.qpos[3:7] = np.roll(state.base_orientation, 1)
        for joint_, position in zip(self.joints, state.position, strict=True):
            self.data.qpos[joint_.qposadr] = position
        mujoco.mj_forward(self.model, self.data)

    def measure(self, state):
        """Write the robot's state."""
        if self.floats:
            state.base_position[:] = self.data.qpos[:3]
            state.base_orientation[:] = np.roll(self.data.qpos[3:7], -1)
            rotation = np.zeros(9)
            mujoco.mju_quat2Mat(rotation, self.data.qpos[3:7])
            state.base_velocity[:3] = rotation.reshape(3, 3).T @ self.data.qvel[:3]
            state.base_velocity[3:] = self.data.qvel[3:6]
        for i, joint_ in enumerate(self.joints):
            state.position[i] = self.data.qpos[joint_.qposadr[0]]
            state.velocity[i] = self.data.qvel[joint_.dofadr[0]]

    def step(self, effort):
        """Apply an effort for one time step."""
        for name, value in zip(self.description.command_joints, effort, strict=True):
            self.data.qfrc_applied[self.model.joint(name).dofadr] = value
        mujoco.mj_step(self.model, self.data)

    def contact_wrench(self, body, point):
        """Return force and moment of all contacts on a body at a point, world axes."""
        total = np.zeros(6)
        number = self.model.body(body).id
        for i in range(self.data.ncon):
            contact = self.data.contact[i]
            owners = [self.model.geom_bodyid[g] for g in (contact.geom1, contact.geom2)]
            if number not in owners:
                continue
            local = np.zeros(6)
            mujoco.mj_contactForce(self.model, self.data, i, local)
            axes = contact.frame.reshape(3, 3)
            sign = 1.0 if owners[1] == number else -1.0
            force = sign * axes.T @ local[:3]
            total[:3] += force
            total[3:] += np.cross(contact.pos - point, force) + sign * axes.T @ local[3:]
        return total


__all__ = [
    "FOOT",
    "PointContact",
    "World",
    "biped_in_contact",
    "internal_effort",
    "solve",
    "standing",
]
