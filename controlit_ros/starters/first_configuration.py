"""A first controller file for a robot of which there is only a description."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from ruamel.yaml import YAML

from controlit_ros.arrays import Array
from controlit_ros.configuration.robot_description import read_robot_description
from controlit_ros.constraints import ConstraintSet
from controlit_ros.constraints.constraint import Constraint
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.holding_effort import holding_effort
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.errors import ControlItError
from controlit_ros.mimic_joints import Mimic, mimics
from controlit_ros.model import (
    ModelOptions,
    RobotDescription,
    RobotState,
    lock_joints,
    moving_joints,
    state_limits,
)
from controlit_ros.model.urdf_document import urdf_tree
from controlit_ros.starters.chosen_limits import chosen_limits
from controlit_ros.starters.dexterity import FULL_CHAIN, find_hands
from controlit_ros.starters.limbs import Limb, LimbKind, configuration, find_limbs, words_of
from controlit_ros.starters.soles import Shapes, Sole
from controlit_ros.starters.start_posture import StartPosture, start_posture

ROTOR_INERTIA = 0.01  # [kg m²] of a small geared drive
GAINS = {"kp": 64, "kd": 16}  # critically damped, 2 % after 0.75 s
GENTLE_GAINS = {"kp": 25, "kd": 10}  # for what stands on friction
SPEED, TURN_SPEED, FALL_SPEED = 0.5, 1.5, 0.3  # [m/s], [rad/s], [m/s] of the centre of mass
ROLLING = {"wheel", "wheels", "caster", "rotor", "propeller", "suspension"}
"""Words in the names of joints that no posture shall hold: they are locked."""
LEAST_FEET = 3  # [-] points on which a robot stands
UNKNOWN = "chosen, since the description has 0: put in those of your drives"
TOO_WEAK = "# Its motors cannot carry it on its feet as it starts, so its root link is bolted down."
STANDING = (
    "  fallback: posture # in the safe state it stays on its feet",
    "  soft_start_time: 0 # a robot that stands is controlled in full from the start",
)


class FirstController(NamedTuple):
    """A first controller.

    Attributes:
        text: Of the file.
        start: The posture in which the simulation starts.
    """

    text: str
    start: StartPosture


def first_configuration(reference: str, name: str, folder: Path) -> str:
    """Return the text of a controller for a robot; see `first_controller`."""
    return first_controller(reference, name, folder).text


def first_controller(reference: str, name: str, folder: Path) -> FirstController:
    """Return a controller for a robot: sensible tasks on what is found of it.

    Arms get a position and an orientation, heads a direction; a robot with legs stands on its feet
    and keeps its centre of mass, if its motors can hold it so; whatever else is there has its root
    link bolted down. The joints keep their posture below all that.

    Args:
        reference: Of the description: package://, file:// or a path.
        name: Of the controller.
        folder: Where the file will be.

    Raises:
        ControlItError: The description is wrong, or nothing of the robot moves.
    """
    description = read_robot_description(reference, Path.cwd())
    if description.path is None:
        raise ControlItError("found the text of a robot description, expected a file")
    text, urdf = description.urdf, description.path.resolve()
    stated = reference if "://" in reference else _path_from(folder.resolve(), urdf)
    followers = mimics(urdf_tree(text)).found
    slaves = {follower.slave for follower in followers}
    limits = chosen_limits(_robot(text, _rolling(text)), slaves)
    text = state_limits(text, {key.partition("_")[0]: chosen for key, chosen in limits.items()})
    locked = _locked(text, slaves)
    robot = _robot(text, locked)
    limbs = find_limbs(robot)
    legs = [limb for limb in limbs if limb.kind is LimbKind.LEG]
    hands = find_hands(limbs)
    start = start_posture(robot, urdf, legs, followers, hands)
    feet = _feet(robot, urdf, legs, start.position)
    is_too_weak = bool(feet) and not _can_stand(robot, feet, start.position, followers)
    if is_too_weak:
        feet, start = {}, start_posture(robot, urdf, (), followers, hands)
    content = [
        *_head(robot, urdf),
        *([TOO_WEAK] if is_too_weak else []),
        f"name: {_flow(name)}",
        f"robot_description: {_flow(stated)}",
        "",
        *_parameters(locked, limits),
        *(STANDING if feet else []),
        "",
        *_simulator(start, stands=bool(feet)),
        *_lists(robot, limbs, feet),
    ]
    return FirstController("\n".join(content) + "\n", start)


def _locked(text: str, followers: Collection[str]) -> list[str]:
    """Return the joints that roll, and those that limits of zero leave nothing."""
    rolling = _rolling(text)
    robot = _robot(text, rolling)
    least = np.minimum(robot.effort_limits, robot.velocity_limits)
    can_move = (least > 0.0) & (robot.upper_limits > robot.lower_limits)
    idle = [
        joint
        for joint, can in zip(robot.real_joints, can_move, strict=True)
        if not can and joint not in followers
    ]
    if len(idle) == len(set(robot.real_joints) - set(followers)):
        raise ControlItError(
            "the limits of the robot description leave no joint an effort, a speed and a range "
            "above 0; expected lower < upper and effort and velocity > 0 of one joint at least"
        )
    return rolling + idle


def _rolling(text: str) -> list[str]:
    return [joint for joint in moving_joints(text) if words_of(joint) & ROLLING]


def _robot(text: str, locked: Sequence[str]) -> RobotDescription:
    text = lock_joints(text, dict.fromkeys(locked, 0.0)) if locked else text
    inertia = dict.fromkeys(moving_joints(text), ROTOR_INERTIA)
    if not inertia:
        raise ControlItError("no joint of the robot moves; expected one at least")
    return RobotDescription(text, ModelOptions(rotor_inertia=inertia))


def _feet(
    robot: RobotDescription, urdf: Path, legs: Sequence[Limb], position: Array
) -> dict[str, tuple[Limb, Sole]]:
    """Return what the robot stands on by the names of contacts; nothing if that is too little."""
    shapes = Shapes(robot, urdf, configuration(robot, position))
    soles = [shapes.sole(leg.body, is_flat=leg.turns_its_end) for leg in legs]
    if not any(sole.is_flat for sole in soles) and len(soles) < LEAST_FEET:
        return {}
    names = _names([leg.body for leg in legs], "Foot")
    return dict(zip(names, zip(legs, soles, strict=True), strict=True))


def _can_stand(
    robot: RobotDescription,
    feet: Mapping[str, tuple[Limb, Sole]],
    position: Array,
    followers: Sequence[Mimic],
) -> bool:
    """Tell whether motors can hold a robot still on its feet; joints that follow others are not."""
    contacts = ConstraintSet([_built(robot, name, *foot) for name, foot in feet.items()])
    state = RobotState(robot.real_joints)
    state.position[:] = position
    needed = np.abs(holding_effort(robot, contacts, state))
    slaves = {follower.slave for follower in followers}
    counts = np.array([joint not in slaves for joint in robot.command_joints])
    return bool((needed <= robot.effort_limits[robot.command_indices])[counts].all())


def _built(robot: RobotDescription, name: str, leg: Limb, sole: Sole) -> Constraint:
    entry = _contact(name, leg, sole)
    kind: type[Constraint] = FlatContact if entry.pop("type") == "FlatContact" else PointContact
    contact = kind(entry.pop("name"), robot)
    for key, value in entry.items():
        contact.parameter(key).set(value)
    contact.configure()
    return contact


def _path_from(folder: Path, urdf: Path) -> str:
    """Return a path that moves with the file, where the description lies below its folder."""
    return str(urdf.relative_to(folder) if urdf.is_relative_to(folder) else urdf)


def _head(robot: RobotDescription, urdf: Path) -> Iterator[str]:
    joints = f"{len(robot.real_joints)} joints"
    yield f"# A first controller of {urdf.stem} ({joints}): a beginning, made from its description."
    yield "# `controlit check` tells what is doubtful, `controlit describe` what it comes to."


def _parameters(locked: Sequence[str], limits: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    yield "parameters:"
    yield "  servo_frequency: 1000 # [Hz]"
    yield "  robot_interface_type: MuJoCo # the simulator; see docs/robots.md for real robots"
    yield f"  rotor_inertia: {ROTOR_INERTIA} # [kg m²] of each drive, behind its gear: put in yours"
    for key, chosen in limits.items():
        kept = {joint: value for joint, value in chosen.items() if joint not in locked}
        yield f"  {key}: {_flow(kept)} # {UNKNOWN}"
    if locked:
        yield f"  locked_joints: {_flow(list(locked))}"


def _simulator(start: StartPosture, *, stands: bool) -> Iterator[str]:
    settings = ["floor: true", "place_on_floor: true"] if stands else []
    if start.name or start.stated:
        settings += [f"# {start.reason}; state other positions, or a posture's name"]
        settings += [f"initial_position: {start.name or _flow(start.stated)}"]
    if settings:
        yield from ("simulator:", *(f"  {setting}" for setting in settings), "")


def _lists(
    robot: RobotDescription, limbs: Sequence[Limb], feet: Mapping[str, tuple[Limb, Sole]]
) -> Iterator[str]:
    tasks: list[tuple[dict[str, Any], int]] = []
    if feet:
        gentle = {**GENTLE_GAINS, "max_velocity": FALL_SPEED}
        tasks.append(({"name": "CenterOfMass", "type": "CenterOfMass", **gentle}, 3))
        trunk = {"name": "Trunk", "type": "Orientation3D", "body": robot.root_link, **GAINS}
        tasks.append((trunk, 2))
    tasks += [(task, 1) for task in _limb_tasks(limbs)]
    tasks.append(({"name": "Posture", "type": "JointPosition", **GAINS}, 0))
    contacts = [_contact(name, limb, sole) for name, (limb, sole) in feet.items()]
    contacts = contacts or [{"name": "Base", "type": "FlatContact", "body": robot.root_link}]
    yield "tasks:"
    yield from (f"  - {_flow(task)}" for task, _ in tasks)
    yield ""
    yield "constraints:"
    yield from (f"  - {_flow(contact)}" for contact in contacts)
    yield ""
    yield "compound_task: # higher priority wins"
    yield from (f"  - {_flow({'name': t['name'], 'priority': rank})}" for t, rank in tasks)
    yield ""
    yield "constraint_set:"
    yield from (f"  - {_flow({'name': contact['name']})}" for contact in contacts)


def _limb_tasks(limbs: Sequence[Limb]) -> Iterator[dict[str, Any]]:
    arms = find_hands(limbs)
    for name, arm in zip(_names([arm.body for arm in arms], "Hand"), arms, strict=True):
        body = {"body": arm.body, **GAINS}
        yield {
            "name": f"{name}Position", "type": "CartesianPosition", **body, "max_velocity": SPEED
        }  # fmt: skip
        if len(arm.joints) >= FULL_CHAIN:
            turned = {**body, "max_velocity": TURN_SPEED}
            yield {"name": f"{name}Orientation", "type": "Orientation3D", **turned}
    heads = [limb for limb in limbs if limb.kind is LimbKind.HEAD and len(limb.joints) > 1]
    for name, head in zip(_names([head.body for head in heads], "Head"), heads, strict=True):
        gaze = {"body": head.body, "body_vector": [1, 0, 0], **GAINS, "max_velocity": TURN_SPEED}
        yield {"name": name, "type": "Orientation2D", **gaze}


def _contact(name: str, leg: Limb, sole: Sole) -> dict[str, Any]:
    point = {} if not any(sole.point) else {"contact_point": _rounded(sole.point)}
    if sole.is_flat:
        size = {"half_size": _rounded(sole.half_size)}
        return {"name": name, "type": "FlatContact", "body": leg.body, **point, **size}
    ball = {"radius": sole.radius} if sole.radius else {}
    return {"name": name, "type": "PointContact", "body": leg.body, **point, **ball}


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(float(value), 5) + 0.0 for value in values]


def _names(bodies: Sequence[str], what: str) -> list[str]:
    """Return names by side where links have one: LeftHand, RightFoot; else by their links."""
    if len(bodies) == 1:
        return [what]
    sides = [_side(body) for body in bodies]
    if all(sides) and len(set(sides)) == len(sides):
        return [f"{side}{what}" for side in sides]
    return [f"{''.join(re.findall('[A-Za-z0-9]+', body))}{what}" for body in bodies]


def _side(body: str) -> str:
    words = words_of(body)
    sides = {"Left": {"left", "l"}, "Right": {"right", "r"}}
    return next((side for side, marks in sides.items() if words & marks), "")


def _flow(value: Any) -> str:
    stream = StringIO()
    yaml = YAML()
    yaml.default_flow_style = True
    yaml.width = 10_000
    yaml.dump(value, stream)
    return stream.getvalue().removesuffix("...\n").strip()
