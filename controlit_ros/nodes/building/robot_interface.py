"""The robot interface, and what simulates the robot at its other end."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.configuration import ControllerParameters, PluginKind
from controlit_ros.constraints import ConstraintSet
from controlit_ros.constraints.coupled_state import CoupledStateError, complete_state
from controlit_ros.errors import ControlItError
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.model.footprint import Footprint
from controlit_ros.nodes.building.section_builder import SIMULATOR, SectionBuilder
from controlit_ros.robots import RobotInterface, RobotSetup

START = "initial_position"
"""Of a simulated robot: where its joints begin."""
DELAY = "communication_delay"
"""Of a robot interface: age of states and of commands when they arrive [s]."""


class RobotSide(NamedTuple):
    """What is between the servo and the robot.

    Attributes:
        interface: Configured, not connected.
        simulated: The interface, or the simulator that it joins.
        start: Where the simulated robot begins; `None`: the file describes none.
        delay: Of the round trip to the robot [s].
    """

    interface: RobotInterface
    simulated: RobotInterface
    start: RobotState | None
    delay: float


def build_robot_interface(
    builder: SectionBuilder, robot: RobotDescription, constraints: ConstraintSet
) -> RobotSide:
    """Return what the sections `robot_interface` and `simulator` describe.

    Args:
        builder: Of the configuration.
        robot: Its structure.
        constraints: Of the robot.

    Raises:
        ConfigurationError: There is no interface of that type.
    """
    configuration = builder.configuration
    parameters = configuration.parameters
    name = parameters.robot_interface_type
    setup = _setup(builder, robot, constraints)
    interface = _create(builder, name, setup)
    simulated, where = interface, "robot_interface"
    before = len(builder.problems.problems)
    if interface is not None:
        fits = name != SIMULATOR or _fill(builder, interface, "simulator", setup)
        if _fill(builder, interface, where, setup) and fits:
            builder.configure(interface, (where,))
    if name != SIMULATOR:
        simulated, where = None, "simulator"
        if configuration.simulator:
            simulated = _create(builder, SIMULATOR, setup)
        if simulated is not None:
            _fill(builder, simulated, where, setup)
    start = None
    if simulated is not None and len(builder.problems.problems) == before:
        try:
            start = simulated.start_state()
        except ControlItError as error:
            builder.problems.add((where,), str(error))
    interface = builder.required(interface)
    simulated = simulated or interface
    return RobotSide(interface, simulated, start, _round_trip_delay(parameters, simulated))


def _fill(
    builder: SectionBuilder, interface: RobotInterface, section: str, setup: RobotSetup
) -> bool:
    """Set the parameters of a section; of joints in transmissions, some may be given."""
    values = dict(getattr(builder.configuration, section))
    given = values.get(START)
    if isinstance(given, list | tuple) and len(given) == len(setup.joint_names):
        given = dict(zip(setup.joint_names, given, strict=True))
    if isinstance(given, Mapping) and all(isinstance(v, int | float) for v in given.values()):
        try:
            values[START] = complete_state(given, setup.couplings)
        except CoupledStateError as error:
            builder.problems.add((section, START), str(error))
            return False
    return builder.fill(interface, values, (section,))


def rest_state(robot: RobotDescription) -> RobotState:
    """Return a state at rest: joints where in their range they are nearest to zero."""
    state = RobotState(robot.real_joints)
    np.clip(0.0, robot.lower_limits, robot.upper_limits, out=state.position)
    return state


def _round_trip_delay(parameters: ControllerParameters, interface: RobotInterface) -> float:
    """Return the dead time between a measurement and what a command that answers it does [s]."""
    if parameters.round_trip_delay is not None:
        return parameters.round_trip_delay
    stated = interface.parameters.get(DELAY)
    return 0.0 if stated is None else float(np.sum(stated.value))


def _create(builder: SectionBuilder, name: str, setup: RobotSetup) -> Any:
    path = ("parameters", "robot_interface_type")
    return builder.create(PluginKind.ROBOT_INTERFACE, name, path, setup)


def _setup(
    builder: SectionBuilder, robot: RobotDescription, constraints: ConstraintSet
) -> RobotSetup:
    configuration, parameters = builder.configuration, builder.configuration.parameters
    is_fixed = any(contact.bolts_root for contact in constraints.contacts)
    return RobotSetup(
        name=configuration.name,
        urdf=robot.urdf,
        joint_names=robot.real_joints,
        command_names=robot.command_joints,
        couplings=constraints.couplings,
        fixed_base=is_fixed,
        reflected_inertia=tuple(robot.rotor_inertia.tolist()),
        gravity=parameters.world_gravity,
        servo_frequency=parameters.servo_frequency,
        folder=str(configuration.folder.absolute()),
        sensors=robot.sensors,
        imu=robot.imu,
        real_time=parameters.realtime_priority > 0,
        frame_prefix=parameters.frame_prefix,
        footprints=() if is_fixed else _footprints(constraints),
        rest_position=tuple(rest_state(robot).position.tolist()),
    )


def _footprints(constraints: ConstraintSet) -> tuple[Footprint, ...]:
    """Return where feet touch, whether their contacts hold from the start or later."""
    found = (contact.simulated_footprint() for contact in constraints.contacts)
    return tuple(footprint for footprint in found if footprint is not None)
