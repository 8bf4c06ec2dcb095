"""Robots that nothing holds, that start in the air or in the ground, or without a floor."""

from collections.abc import Sequence

import numpy as np
import pinocchio as pin

from controlit_ros.constraints import ConstraintSet, ContactConstraint
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.model import RobotDescription, RobotModel, RobotState
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.robots import RobotInterface

HIGH = 0.01  # [m] above or below the floor that no sole and no rounding explains
LEVEL = 0.02  # [m] links that are as low as the lowest
MOST_NAMES = 4


def standing_warnings(
    robot: RobotDescription,
    constraints: ConstraintSet,
    interface: RobotInterface,
    simulated: RobotInterface | None,
    start: RobotState,
) -> Findings:
    """Yield warnings about what the robot stands on, each with its place.

    Args:
        robot: Its structure.
        constraints: Of the robot.
        interface: To the robot.
        simulated: The simulated robot, if the file describes one.
        start: Where the robot begins.
    """
    model = RobotModel(robot)
    model.update(start)
    contacts = [
        (i, contact)
        for i, contact in enumerate(constraints.constraints)
        if isinstance(contact, ContactConstraint)
    ]
    enabled = [(i, contact) for i, contact in contacts if contact.is_enabled]
    if not enabled:
        yield ("robot_description",), _nothing_holds(robot, model, contacts)
        return
    if simulated is None or interface.setup.fixed_base:
        return
    has_floor, scene, is_placed = (
        simulated.parameters[name].value for name in ("floor", "scene", "place_on_floor")
    )
    if not has_floor and not scene:
        text = (
            "the simulated robot has nothing to stand on, its contacts hold nothing: expected "
            "floor: true, or a scene with a floor"
        )
        yield ("simulator",), text
    if not has_floor:
        return
    yield from _sizeless(enabled)
    if not is_placed:
        yield from _height(model, enabled)


def _nothing_holds(
    robot: RobotDescription,
    model: RobotModel,
    contacts: Sequence[tuple[int, ContactConstraint]],
) -> str:
    names = ", ".join(repr(contact.name) for _, contact in contacts)
    enabled = f"one of {names} enabled, or " if contacts else ""
    return (
        f"no contact constraint holds the robot: its base floats; expected {enabled}a FlatContact "
        f"on the root link {robot.root_link!r} of a robot that is bolted down, or a FlatContact or "
        "PointContact on each foot of one that stands (the lowest links at the start are "
        f"{', '.join(map(repr, _lowest_links(robot, model)))})"
    )


def _lowest_links(robot: RobotDescription, model: RobotModel) -> list[str]:
    heights = {
        frame.name: float(model.placement(index).translation[2])
        for index, frame in enumerate(robot.pinocchio.frames)
        if frame.type == pin.FrameType.BODY
    }
    lowest = min(heights.values())
    return [name for name, height in heights.items() if height < lowest + LEVEL][-MOST_NAMES:]


def _sizeless(
    enabled: Sequence[tuple[int, ContactConstraint]],
) -> Findings:
    for i, contact in enabled:
        if isinstance(contact, FlatContact) and not contact.half_size.value.all():
            text = (
                f"{contact.name} has no half_size: the floor of the simulation gets no sole there; "
                "expected half length and half width of the sole [m]"
            )
            yield ("constraints", i), text


def _height(model: RobotModel, enabled: Sequence[tuple[int, ContactConstraint]]) -> Findings:
    """Compare the lowest of the contacts' corners with the floor, height 0."""
    lowest = np.inf
    for _, contact in enabled:
        place = model.placement(contact.site.frame)
        for corner in contact.footprint():
            lowest = min(lowest, float(place.act(corner)[2]) - contact.ball_radius)
    if abs(lowest) > HIGH:
        where = "above" if lowest > 0.0 else "in"
        height = float(model.state.base_position[2]) - lowest
        text = (
            f"the robot starts {abs(lowest):.3f} m {where} the floor; expected place_on_floor: "
            f"true, or the height {height:.3f} m in initial_base_position"
        )
        yield ("simulator",), text
