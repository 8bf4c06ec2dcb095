"""Robots and states for tests: random trees, Dreamer, and robots of example-robot-data."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import strategies as st

from controlit_ros.model import ModelOptions, RobotDescription, RobotModel, RobotState

REPOSITORY = Path(__file__).resolve().parent.parent
DREAMER_URDF = (REPOSITORY / "urdf" / "dreamer.urdf").read_text(encoding="utf-8")
MOVING = ("revolute", "continuous", "prismatic")
SEEDS = st.integers(0, 2**32 - 1)

ARM_ROTORS = {  # rotor inertia [kg m²] times gear ratio squared
    "left_shoulder_extensor": 2.76e-5 * 120**2,
    "left_shoulder_abductor": 2.76e-5 * 100**2,
    "left_shoulder_rotator": 2.7e-5 * 100**2,
    "left_elbow": 2.7e-5 * 100**2,
    "left_wrist_rotator": 1.2e-5 * 100**2,
    "left_wrist_pitch": 6.0e-5 * 50**2,
    "left_wrist_yaw": 6.0e-5 * 50**2,
    "right_shoulder_extensor": 3.0e-5 * 120**2,
    "right_shoulder_abductor": 1.38e-5 * 100**2,
    "right_shoulder_rotator": 1.35e-5 * 100**2,
    "right_elbow": 1.35e-5 * 100**2,
    "right_wrist_rotator": 3.5e-6 * 100**2,
    "right_wrist_pitch": 3.5e-6 * 50**2,
    "right_wrist_yaw": 3.5e-6 * 50**2,
}


class RandomRobot(NamedTuple):
    """Text of a random robot and what was drawn for it.

    Attributes:
        urdf: The robot's description.
        joint_types: URDF type of each joint `joint_i`, fixed ones included.
        rotor_inertia: Reflected inertia of the moving joints [kg m²].
    """

    urdf: str
    joint_types: tuple[str, ...]
    rotor_inertia: dict[str, float]

    @property
    def moving(self) -> tuple[str, ...]:
        """Names of the moving joints, in no particular order."""
        return tuple(f"joint_{i}" for i, t in enumerate(self.joint_types) if t != "fixed")

    @property
    def links(self) -> tuple[str, ...]:
        """Names of all links."""
        return tuple(f"link_{i}" for i in range(len(self.joint_types) + 1))

    def description(self, **options: object) -> RobotDescription:
        """Build the description, with the rotor inertia that was drawn."""
        options.setdefault("rotor_inertia", self.rotor_inertia)
        return RobotDescription(self.urdf, ModelOptions(**options))


def write_robot(
    seed: int, joint_types: tuple[str, ...], parents: tuple[int, ...], *, floating: bool = False
) -> RandomRobot:
    """Write a tree whose joint `i` carries link `i + 1` and stands on link `parents[i]`."""
    rng = np.random.default_rng(seed)
    parts = ['<robot name="random">']
    if floating:
        parts += [
            '<link name="world"/>',
            '<joint name="floating_base" type="floating">',
            '<parent link="world"/><child link="link_0"/></joint>',
        ]
    parts += [_link(rng, i) for i in range(len(joint_types) + 1)]
    parts += [
        _joint(rng, i, kind, parent)
        for i, (kind, parent) in enumerate(zip(joint_types, parents, strict=True))
    ]
    parts.append("</robot>")
    rotors = {
        f"joint_{i}": float(rng.uniform(0.0, 0.3))
        for i, t in enumerate(joint_types)
        if t != "fixed"
    }
    return RandomRobot("\n".join(parts), joint_types, rotors)


@st.composite
def random_robots(
    draw: st.DrawFn,
    min_joints: int = 2,
    max_joints: int = 7,
    types: tuple[str, ...] = (*MOVING, "fixed"),
    *,
    floating: bool | None = None,
) -> RandomRobot:
    """Draw a tree of links with at least one moving joint; its first joint moves."""
    count = draw(st.integers(min_joints, max_joints))
    movable = [t for t in types if t != "fixed"]
    kinds = (
        draw(st.sampled_from(movable)),
        *(draw(st.sampled_from(types)) for _ in range(count - 1)),
    )
    parents = tuple(draw(st.integers(max(0, i - 2), i)) for i in range(count))
    has_base = draw(st.booleans()) if floating is None else floating
    return write_robot(draw(SEEDS), kinds, parents, floating=has_base)


def chain(seed: int, joint_types: tuple[str, ...]) -> RandomRobot:
    """Write a serial chain."""
    return write_robot(seed, joint_types, tuple(range(len(joint_types))))


def dreamer(urdf: str = DREAMER_URDF, **options: object) -> RobotDescription:
    """Build Dreamer: rotor inertia and, by default, the slave of its torso."""
    options.setdefault("rotor_inertia", ARM_ROTORS)
    options.setdefault("slaves", ("torso_upper_pitch",))
    return RobotDescription(urdf, ModelOptions(**options))


def _example_robots() -> Path | None:
    """Return the folder of example-robot-data, `None` where that is not installed."""
    for directory in Path(pin.__file__).parents:
        path = directory / "share" / "example-robot-data" / "robots"
        if path.is_dir():
            return path
    return None


EXAMPLE_ROBOTS = _example_robots()
needs_example_robots = pytest.mark.skipif(
    EXAMPLE_ROBOTS is None, reason="example-robot-data is missing: pip install 'controlit[robots]'"
)


def example_robot(name: str) -> str:
    """Return the text of a robot of example-robot-data."""
    assert EXAMPLE_ROBOTS is not None, "mark the test `needs_example_robots`"
    return (EXAMPLE_ROBOTS / name).read_text(encoding="utf-8")


def random_state(
    description: RobotDescription, rng: np.random.Generator, *, speed: float = 1.0
) -> RobotState:
    """Draw a state: joints anywhere in ±1.5, the base anywhere, velocities of size `speed`."""
    state = RobotState(description.real_joints)
    n = len(description.real_joints)
    state.position[:] = rng.uniform(-1.5, 1.5, n)
    state.velocity[:] = speed * rng.uniform(-1.0, 1.0, n)
    state.base_position[:] = rng.uniform(-1.0, 1.0, 3)
    quaternion = rng.normal(size=4)
    state.base_orientation[:] = quaternion / np.linalg.norm(quaternion)
    state.base_velocity[:] = speed * rng.uniform(-1.0, 1.0, 6)
    return state


def configuration(description: RobotDescription, state: RobotState) -> np.ndarray:
    """Return Pinocchio's configuration of a state, found by joint names."""
    model = description.pinocchio
    q = pin.neutral(model)
    q[:3], q[3:7] = state.base_position, state.base_orientation
    for name, position in zip(state.joint_names, state.position, strict=True):
        joint = model.joints[model.getJointId(name)]
        values = [position] if joint.nq == 1 else [np.cos(position), np.sin(position)]
        q[joint.idx_q : joint.idx_q + joint.nq] = values
    return q


def velocity(description: RobotDescription, state: RobotState) -> np.ndarray:
    """Return Pinocchio's velocity of a state, found by joint names."""
    model = description.pinocchio
    v = np.zeros(model.nv)
    v[:6] = state.base_velocity
    for name, rate in zip(state.joint_names, state.velocity, strict=True):
        v[model.joints[model.getJointId(name)].idx_v] = rate
    return v


def moved(
    description: RobotDescription, state: RobotState, step: np.ndarray, v: np.ndarray | None = None
) -> RobotState:
    """Return the state reached by a small motion `step`, `(nv,)`; it has velocity `v` or zero."""
    model = description.pinocchio
    q = pin.integrate(model, configuration(description, state), step)
    result = RobotState(state.joint_names)
    result.base_position[:], result.base_orientation[:] = q[:3], q[3:7]
    for i, name in enumerate(state.joint_names):
        joint = model.joints[model.getJointId(name)]
        result.position[i] = state.position[i] + step[joint.idx_v]
        if v is not None:
            result.velocity[i] = v[joint.idx_v]
    if v is not None:
        result.base_velocity[:] = v[:6]
    return result


def _link(rng: np.random.Generator, index: int) -> str:
    # principal moments of a real body: each is at most the sum of the others
    x, y, z = rng.uniform(0.02, 0.2, 3)
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    inertia = axes @ np.diag([y + z, x + z, x + y]) @ axes.T
    mass = rng.uniform(0.5, 4.0)
    return (
        f'<link name="link_{index}"><inertial><origin xyz="{_xyz(rng.uniform(-0.2, 0.2, 3))}" '
        f'rpy="{_xyz(rng.uniform(-3, 3, 3))}"/><mass value="{mass:.17g}"/>'
        f'<inertia ixx="{inertia[0, 0]:.17g}" ixy="{inertia[0, 1]:.17g}" '
        f'ixz="{inertia[0, 2]:.17g}" iyy="{inertia[1, 1]:.17g}" iyz="{inertia[1, 2]:.17g}" '
        f'izz="{inertia[2, 2]:.17g}"/></inertial></link>'
    )


def _joint(rng: np.random.Generator, index: int, kind: str, parent: int) -> str:
    axis = rng.normal(size=3)
    return (
        f'<joint name="joint_{index}" type="{kind}"><parent link="link_{parent}"/>'
        f'<child link="link_{index + 1}"/><origin xyz="{_xyz(rng.uniform(-0.5, 0.5, 3))}" '
        f'rpy="{_xyz(rng.uniform(-3, 3, 3))}"/><axis xyz="{_xyz(axis / np.linalg.norm(axis))}"/>'
        '<limit lower="-2" upper="2.5" effort="30" velocity="4"/></joint>'
    )


def _xyz(vector: np.ndarray) -> str:
    return " ".join(f"{value:.17g}" for value in vector)


def updated(description: RobotDescription, state: RobotState) -> RobotModel:
    """Return a model at a state."""
    model = RobotModel(description)
    model.update(state)
    return model


def configured(part: Any, **parameters: object) -> Any:
    """Set parameters of a task or constraint and configure it."""
    for name, value in parameters.items():
        part.parameter(name).set(value)
    part.configure()
    return part


def keep_constraints(state: RobotState, Jc: np.ndarray) -> None:
    """Project the state's velocity onto those the constraints `Jc v = 0` allow.

    The model must have the joints in the order of the state, as all models do.
    """
    v = np.concatenate([state.base_velocity, state.velocity])
    v -= np.linalg.pinv(Jc, rcond=1e-6) @ (Jc @ v)
    state.base_velocity[:], state.velocity[:] = v[:6], v[6:]
