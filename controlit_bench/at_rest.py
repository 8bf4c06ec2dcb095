"""Every robot of example-robot-data at rest: whether gravity is held, and whether it stays."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pinocchio as pin

from controlit_bench.problems import write_content
from controlit_bench.section import Section
from controlit_ros.arrays import Array
from controlit_ros.configuration import load_configuration
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulated_time import IN_SIMULATED_TIME
from controlit_ros.parameters import Mailbox
from controlit_ros.resource import ROBOTS_PACKAGE, resolve_resource
from controlit_ros.servo import Coordinator, NoticeBoard, Outbox, ServoPorts
from controlit_ros.servo.simulated_clock import SimulatedClock
from controlit_ros.starters.first_configuration import first_configuration

FULL_DURATION, QUICK_DURATION = 5.0, 0.2  # [s]
LOOKS = 50  # [1/s] how often positions are compared
MOST_ERROR = 1e-6  # [N m, N]
MOST_MOTION = 1e-3  # [rad, m]
SUBSTITUTE = 1e-3  # [kg m², kg] for robots with links that weigh nothing
KINDS = {"FlatContact": "soles", "PointContact": "points"}
BASE = "Base"
"""What the root link of a robot without feet is bolted by."""
SETTLING = 1.0  # [s] in which feet sink into the floor and the soft start ends


class RestResult(NamedTuple):
    """What was found of one robot.

    Attributes:
        robot: Its file.
        joints: Joints that move.
        lightest, heaviest: Least and largest inertia that moves with a joint [kg m², kg].
        error: Largest difference between commanded effort and what balance takes [N m, N].
        motion: How far a joint went [rad, m].
        joint: Which.
        remark: Why it does not rest, if it does not; why it cannot be simulated.
    """

    robot: str
    joints: int
    lightest: float
    heaviest: float
    error: float
    motion: float
    joint: str
    remark: str = ""

    @property
    def holds(self) -> bool:
        """Whether gravity is compensated and nothing moves."""
        return self.error <= MOST_ERROR and self.motion <= MOST_MOTION


def robots() -> Iterator[Path]:
    """Yield the descriptions of example-robot-data."""
    root = resolve_resource(f"package://{ROBOTS_PACKAGE}/robots", Path())
    yield from sorted(root.rglob("*.urdf"))


def bolted_content(urdf: Path, rotor_inertia: float = 0.0) -> dict[str, Any]:
    """Return a controller of every joint: the root link is bolted, a posture is kept.

    Raises:
        ValueError: It is no robot description.
    """
    root = pin.buildModelFromUrdf(str(urdf), pin.JointModelFreeFlyer())
    base = next(f.name for f in root.frames if f.type == pin.FrameType.BODY and f.parentJoint == 1)
    return {
        "name": "at_rest",
        "robot_description": str(urdf),
        "parameters": {
            "robot_interface_type": "MuJoCo",
            "default_bindings": False,
            "rotor_inertia": rotor_inertia,
        },
        "tasks": [{"name": "Posture", "type": "JointPosition", "kp": 64, "kd": 16}],
        "constraints": [{"name": BASE, "type": "FlatContact", "body": base}],
        "compound_task": [{"name": "Posture", "priority": 0}],
        "constraint_set": [{"name": BASE}],
    }


def rest_bolted(urdf: Path, duration: float) -> RestResult:
    """Let a robot rest whose root link is bolted to the world and whose joints are all free."""
    reason = ""
    for rotor_inertia in (0.0, SUBSTITUTE):
        try:
            stack = _built(bolted_content(urdf, rotor_inertia))
        except (ControlItError, ValueError) as error:
            reason = reason or str(error).split("robot_description: ")[-1]
            if "inertia" not in reason:
                break
            continue
        found = _rest(urdf.name, stack, duration)
        if rotor_inertia:
            remark = f"links without inertia: with a rotor inertia of {SUBSTITUTE:g}"
            return found._replace(remark="; ".join(filter(None, (remark, found.remark))))
        return found
    if "valid URDF" in reason:
        reason = "is no valid URDF"
    nothing = float("nan")
    return RestResult(urdf.name, 0, nothing, nothing, nothing, nothing, "", reason)


def rest_on_its_feet(urdf: Path, duration: float) -> RestResult | None:
    """Let a robot rest with the controller that `controlit new robot` writes of it.

    Returns:
        `None` if it has no feet to stand on.
    """
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "controller.yaml"
            path.write_text(first_configuration(str(urdf), "at_rest", path.parent), "utf-8")
            stack = build_stack(load_configuration(path, IN_SIMULATED_TIME))
    except ControlItError:
        return None  # it is no robot, as those tell that are bolted
    kinds = [c.type for c in stack.configuration.constraints if c.type in KINDS and c.name != BASE]
    if not kinds:
        return None
    found = _rest(urdf.name, stack, duration, settling=SETTLING)
    remark = f"{len(kinds)} {' and '.join(sorted({KINDS[kind] for kind in kinds}))}"
    return found._replace(remark="; ".join(filter(None, (remark, found.remark))))


def _built(content: dict[str, Any]) -> ControllerStack:
    with tempfile.TemporaryDirectory() as folder:
        path = write_content(content, Path(folder) / "controller.yaml")
        return build_stack(load_configuration(path, IN_SIMULATED_TIME))


def measure_at_rest(*, quick: bool) -> tuple[Section, Section]:
    """Measure all of them, bolted to the world and, where they can stand, on their feet."""
    duration = QUICK_DURATION if quick else FULL_DURATION
    held = [rest_bolted(urdf, duration) for urdf in robots()]
    standing = [rest_on_its_feet(urdf, duration) for urdf in robots()]
    return (
        _section("bolted", f"The root link bolted to the world, {duration:g} s", held),
        _section("standing", f"On their feet, {duration:g} s", [s for s in standing if s]),
    )


def _section(name: str, title: str, found: list[RestResult]) -> Section:
    return Section(
        name=name,
        title=title,
        columns=(
            "robot", "joints [-]", "lightest [kg m²]", "heaviest [kg m²]", "error [N m]",
            "motion [rad]", "of", "remark",
        ),
        rows=tuple(tuple(row) if row.joints else _without_numbers(row) for row in found),
        remarks=(_summary(found),),
    )  # fmt: skip


def _summary(found: list[RestResult]) -> str:
    still = sum(row.holds for row in found)
    return (
        f"{still} of {len(found)} keep still: error at most {MOST_ERROR:g} N m, motion at most "
        f"{MOST_MOTION:g} rad or m"
    )


def _without_numbers(row: RestResult) -> tuple[Any, ...]:
    return (row.robot, None, None, None, None, None, None, row.remark)


def _rest(robot: str, stack: ControllerStack, duration: float, settling: float = 0.0) -> RestResult:
    names = stack.robot.real_joints
    with running(stack) as coordinator:
        assert isinstance(stack.clock, SimulatedClock)
        stack.clock.advance(round(settling * stack.servo.frequency))
        model = stack.create_model()
        model.update(coordinator.robot_state)
        inertia = model.robot_model.A.diagonal()[6:]
        error = np.abs(unbalanced(model)).max(initial=0.0)
        begin = coordinator.robot_state.position.copy()
        farthest = np.zeros(len(names))
        remark = ""
        cycles = round(stack.servo.frequency / LOOKS)
        try:
            for _ in range(max(1, round(duration * LOOKS))):
                stack.clock.advance(cycles)
                motion = np.abs(coordinator.robot_state.position - begin)
                np.maximum(farthest, motion, out=farthest)
        except ControlItError as failure:
            remark = str(failure)
    worst = int(np.argmax(farthest))
    return RestResult(
        robot,
        len(names),
        float(inertia.min()),
        float(inertia.max()),
        float(error),
        float(farthest[worst]),
        names[worst],
        remark or _too_weak(model),
    )


def unbalanced(model: ConstrainedModel) -> Array:
    """Return what is left of gravity under the compensation and the best forces of the world.

    `G − Uᵀ τ − Jcᵀ λ` with the λ of the least squares, `(nv,)`; G by Pinocchio, not by a kernel.
    """
    description, robot = model.robot_model.description, model.robot_model
    data = description.pinocchio.createData()
    left: Array = pin.computeGeneralizedGravity(description.pinocchio, data, robot.q).copy()
    left[description.command_dofs] -= model.bias_effort
    if len(model.Jc):
        size = np.linalg.norm(model.Jc, axis=1, keepdims=True)
        rows = (model.Jc / np.where(size > 0.0, size, 1.0)).T
        left -= rows @ np.linalg.lstsq(rows, left, rcond=None)[0]
    return left


def _too_weak(model: ConstrainedModel) -> str:
    """Tell which joints cannot hold what they would have to."""
    robot = model.robot_model.description
    limits = robot.effort_limits[robot.command_indices]
    beyond = np.abs(model.bias_effort) > limits
    texts = [
        f"{joint} needs {effort:.3g} N m, its limit is {limit:.3g}"
        for joint, effort, limit in zip(
            np.array(robot.command_joints)[beyond],
            np.abs(model.bias_effort)[beyond],
            limits[beyond],
            strict=True,
        )
    ]
    return "; ".join(texts)


@contextlib.contextmanager
def running(stack: ControllerStack) -> Iterator[Coordinator]:
    """Yield a servo that has made its first cycle."""
    outbox = Outbox()
    board = NoticeBoard(outbox.add_queue(lambda _: None))
    events = outbox.add_queue(lambda _: None)
    coordinator = stack.create_coordinator(ServoPorts(outbox, Mailbox(), board, events))
    stack.robot_interface.activate()
    coordinator.request_activation()
    stack.clock.start(coordinator)
    assert isinstance(stack.clock, SimulatedClock)
    stack.clock.advance(1)
    try:
        yield coordinator
    finally:
        stack.clock.stop()
        stack.robot_interface.deactivate()
