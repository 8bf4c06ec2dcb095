"""Simulation: a robot in MuJoCo, with its drives, sensors and their imperfections."""

from typing import NamedTuple

import mujoco
import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array
from controlit_ros.constraints.coupled_state import follow_masters
from controlit_ros.controllers.command import Command
from controlit_ros.model import quaternion
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.delay_line import DelayLine
from controlit_ros.robots.floor import height_on_floor
from controlit_ros.robots.mujoco_imu import SimulatedImu
from controlit_ros.robots.mujoco_model import build_model, root_link
from controlit_ros.robots.mujoco_wrenches import ContactForces
from controlit_ros.robots.robot_interface import RobotInterfaceError, RobotSetup
from controlit_ros.robots.scene import PREFIX, free_bodies
from controlit_ros.robots.simulation_options import SimulationOptions

"""Numbers of a pose: position [m] and quaternion xyzw, world frame."""


class Push(NamedTuple):
    """A force on a body for a number of steps.

    Attributes:
        body: Number of the body in the model.
        force: `(3,)` world frame, at the centre of mass [N].
        end: Number of the last step it acts in.
    """

    body: int
    force: Array
    end: int


class Simulation:
    """Steps the physics of one robot; the same calls in the same order give the same numbers.

    Until the first command takes effect the brakes hold the robot in its initial posture. From
    then on the drives follow

        effort + stiffness (position - q) + damping (velocity - dq)

    with the gains of the command (none: effort alone), limited to the efforts of the robot
    description. When no new command took effect for `command_timeout`, they fall back to damping
    without effort until the next one. Drives ignore commands that are not finite.

    A measurement is made at the end of every step, with its noise, and can be read `state_delay`
    later; its acceleration and effort are those that acted during the step, and it reflects the
    sequence number of the newest command that took effect. So do the wrenches of contacts with
    sensors, which tell nothing while the brakes hold, and those of an inertial measurement unit.
    Not for use from several threads.

    Args:
        setup: The robot.
        options: How to simulate it.

    Attributes:
        model: The compiled MuJoCo model.
        data: Its state.
        scene_bodies: Names of the bodies of the scene that move freely.

    Raises:
        RobotInterfaceError: The robot cannot be simulated so, or not its sensors.
    """

    def __init__(self, setup: RobotSetup, options: SimulationOptions) -> None:
        self.setup = setup
        self.options = options
        self.model = build_model(setup, options)
        self.data = mujoco.MjData(self.model)
        joints = [self.model.joint(name).id for name in setup.joint_names]
        drives = [self.model.joint(name).id for name in setup.command_names]
        self._positions = self.model.jnt_qposadr[joints]
        self._velocities = self.model.jnt_dofadr[joints]
        self._drive_positions = self.model.jnt_qposadr[drives]
        self._drive_velocities = self.model.jnt_dofadr[drives]
        base_joint = self.model.body_jntadr[self.model.body(root_link(setup.urdf)).id]
        self._base_position = self.model.jnt_qposadr[base_joint]
        self._base_velocity = self.model.jnt_dofadr[base_joint]
        self.scene_bodies = free_bodies(self.model)
        self._scene_ids = [self.model.body(f"{PREFIX}{name}").id for name in self.scene_bodies]
        self._initial = self._consistent_posture()
        self._check_limits(joints)
        self._height = options.initial_base_position[2]
        if options.place_on_floor:
            self._find_height()
        self._damping = self.model.dof_damping.copy()
        self._fallen_back_damping = self._damping.copy()
        self._fallen_back_damping[self._drive_velocities] += options.fallback_damping
        self._divergence = self.data.warning.number[
            mujoco.mjtWarning.mjWARN_BADQPOS : mujoco.mjtWarning.mjWARN_BADQACC + 1
        ]
        self._noisy = options.position_noise > 0.0 or options.velocity_noise > 0.0
        self._noise = np.zeros(len(joints))
        self._contact_forces = ContactForces(self.model, setup.sensors) if setup.sensors else None
        unit = None if setup.fixed_base else setup.imu
        self._imu = None if unit is None else SimulatedImu(unit, options, setup.gravity)
        deviation = [options.force_noise] * 3 + [options.moment_noise] * 3
        self._wrench_deviation = np.array(deviation) if any(deviation) else None
        self._command = CommandFrame(len(drives))  # on its way to the drives
        self._drives = CommandFrame(len(drives))  # what they follow
        self._measured = setup.create_state()  # at the sensors
        self._state = setup.create_state()  # what has arrived
        self._command_line = DelayLine(self._steps(options.command_delay), self._command.size)
        self._state_line = DelayLine(self._steps(options.state_delay), len(self._state.vector))
        self._effort = np.zeros(len(drives))
        self._scratch = np.zeros(len(drives))
        self._world_in_base = np.zeros(4)
        self._pushes: list[Push] = []
        self._timeout_steps = self._steps(options.command_timeout)
        self._steps_since_command = 0
        self._braked = True
        self._steps_done = 0
        self._reflected_sequence = 0
        self.reset()

    @property
    def time(self) -> float:
        """Simulated time since the last reset [s]."""
        return self._steps_done * self.options.timestep

    @property
    def fallen_back(self) -> bool:
        """Whether the drives miss commands and only damp."""
        return not self._braked and self._steps_since_command > self._timeout_steps

    def initial_state(self) -> RobotState:
        """Return where the robot is after `reset`, without the noise of sensors."""
        state = self.setup.create_state()
        state.position[:] = self._initial
        if not self.setup.fixed_base:
            options = self.options
            state.base_position[:] = (*options.initial_base_position[:2], self._height)
            state.base_orientation[:] = options.initial_base_orientation
        return state

    def reset(self) -> None:
        """Return to the initial posture at time zero, with the brakes on and the same noise."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[self._positions] = self._initial
        if not self.setup.fixed_base:
            self._place_base()
        mujoco.mj_forward(self.model, self.data)
        self.model.dof_damping[:] = self._damping
        self._random = np.random.default_rng(self.options.seed)
        self._pushes.clear()
        self._command.clear()
        self._drives.clear()
        self._command_line.fill(self._command.vector)
        self._braked = True
        self._steps_since_command = 0
        self._steps_done = 0
        self._reflected_sequence = 0
        self._measure()
        self._state_line.fill(self._measured.vector)
        np.copyto(self._state.vector, self._measured.vector)

    def apply(self, command: Command) -> None:
        """Send a command to the drives; it is in force from `command_delay` on."""
        self._command.pack(command)

    def apply_frame(self, frame: CommandFrame) -> None:
        """Send a command that came through a channel."""
        np.copyto(self._command.vector, frame.vector)

    def push(self, body: str, force: npt.ArrayLike, duration: float) -> None:
        """Push a link at its centre of mass.

        Args:
            body: Name of the link.
            force: `(3,)` world frame [N].
            duration: For how long, in simulated time [s].

        Raises:
            RobotInterfaceError: There is no such link.
        """
        number = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, body)
        if number < 0:
            raise RobotInterfaceError(f"the simulated robot has no link {body!r}")
        vector = np.array(force, dtype=float).reshape(3)
        self._pushes.append(Push(number, vector, self._steps_done + self._steps(duration)))

    def step(self) -> None:
        """Advance by one timestep.

        Raises:
            RobotInterfaceError: The simulation diverged; `reset` starts it again.
        """
        self._receive()
        self._steps_done += 1
        if not self._braked:
            self._drive()
            if self._pushes:
                self._push()
            mujoco.mj_step(self.model, self.data)
            if self._divergence.any():
                raise RobotInterfaceError(
                    f"the simulation diverged at {self.time:.3f} s: reduce timestep or gains"
                )
        self._measure()
        np.copyto(self._state.vector, self._state_line.push(self._measured.vector))

    def state(self, into: RobotState) -> None:
        """Write the latest measurement that has arrived, stamped with simulated time."""
        into.copy_from(self._state)

    def scene_poses(self, into: Array) -> None:
        """Write where the bodies of `scene_bodies` truly are, `(n, 7)`: position [m], xyzw."""
        into[:, :3] = self.data.xpos[self._scene_ids]
        into[:, 3:6] = self.data.xquat[self._scene_ids, 1:]
        into[:, 6] = self.data.xquat[self._scene_ids, 0]

    def latest(self) -> RobotState:
        """Return the latest measurement that has arrived, in the form of a channel; a view."""
        return self._state

    def _receive(self) -> None:
        """Move commands one step closer to the drives."""
        arrived = self._command_line.push(self._command.vector)
        self._command.fresh = False
        if arrived[CommandFrame.FRESH] and np.isfinite(arrived).all():
            np.copyto(self._drives.vector, arrived)
            self._reflected_sequence = self._drives.sequence
            self._braked = False
            if self.fallen_back:
                self.model.dof_damping[:] = self._damping
            self._steps_since_command = 0
        elif not self._braked:
            self._steps_since_command += 1
            if self._steps_since_command == self._timeout_steps + 1:
                self.model.dof_damping[:] = self._fallen_back_damping
                self._drives.clear()

    def _drive(self) -> None:
        """Compute the motor efforts, `data.ctrl`."""
        drives = self._drives
        np.copyto(self._effort, drives.effort)
        if drives.has_gains:
            position, velocity = self.data.qpos, self.data.qvel
            np.take(position, self._drive_positions, out=self._scratch)
            np.subtract(drives.position, self._scratch, out=self._scratch)
            self._scratch *= drives.stiffness
            self._effort += self._scratch
            np.take(velocity, self._drive_velocities, out=self._scratch)
            np.subtract(drives.velocity, self._scratch, out=self._scratch)
            self._scratch *= drives.damping
            self._effort += self._scratch
        self.data.ctrl[:] = self._effort

    def _push(self) -> None:
        self.data.xfrc_applied[:] = 0.0
        self._pushes = [push for push in self._pushes if push.end >= self._steps_done]
        for push in self._pushes:
            self.data.xfrc_applied[push.body, :3] += push.force

    def _measure(self) -> None:
        data, measured = self.data, self._measured
        np.take(data.qpos, self._positions, out=measured.position)
        np.take(data.qvel, self._velocities, out=measured.velocity)
        if self._braked:
            measured.acceleration.fill(0.0)
            measured.effort.fill(0.0)
        else:
            np.take(data.qacc, self._velocities, out=measured.acceleration)
            np.take(data.qfrc_actuator, self._velocities, out=measured.effort)
        if self._noisy:
            self._add_noise(measured.position, self.options.position_noise)
            self._add_noise(measured.velocity, self.options.velocity_noise)
        if self._contact_forces is not None:
            self._measure_wrenches(self._contact_forces)
        if not self.setup.fixed_base:
            self._measure_base()
        if self._imu is not None:
            self._measure_imu(self._imu)
        measured.stamp = self.time
        measured.sequence = self._steps_done + 1  # 0 would mean that it has no number
        measured.reflected_sequence = self._reflected_sequence

    def _measure_wrenches(self, forces: ContactForces) -> None:
        wrenches = self._measured.sensed_wrench
        if self._braked:
            wrenches.fill(np.nan)
            return
        forces.measure(self.data, wrenches)
        if self._wrench_deviation is not None:
            noise = self._random.standard_normal(wrenches.shape)
            wrenches += self._wrench_deviation * noise

    def _add_noise(self, quantity: Array, deviation: float) -> None:
        self._random.standard_normal(out=self._noise)
        self._noise *= deviation
        quantity += self._noise

    def _find_height(self) -> None:
        """Let the base start where the robot stands on the floor."""
        if self.setup.fixed_base:
            raise RobotInterfaceError(
                "place_on_floor: found true, but a contact constraint bolts the root link to the "
                "world, expected a base that floats"
            )
        self.data.qpos[self._positions] = self._initial
        self._place_base()
        mujoco.mj_kinematics(self.model, self.data)
        self._height -= height_on_floor(self.model, self.data)

    def _place_base(self) -> None:
        options, start = self.options, self._base_position
        self.data.qpos[start : start + 3] = (*options.initial_base_position[:2], self._height)
        orientation = np.array(options.initial_base_orientation)
        quaternion.wxyz_from_xyzw(orientation, out=self.data.qpos[start + 3 : start + 7])

    def _measure_base(self) -> None:
        """Read the free joint; its linear velocity is in the world, the angular one in the link."""
        data, measured = self.data, self._measured
        q, v = self._base_position, self._base_velocity
        measured.base_position[:] = data.qpos[q : q + 3]
        quaternion.xyzw_from_wxyz(data.qpos[q + 3 : q + 7], out=measured.base_orientation)
        quaternion.conjugate(measured.base_orientation, out=self._world_in_base)
        quaternion.rotate(self._world_in_base, data.qvel[v : v + 3], out=measured.base_velocity[:3])
        measured.base_velocity[3:] = data.qvel[v + 3 : v + 6]

    def _measure_imu(self, imu: SimulatedImu) -> None:
        """Read the free joint once more: its angular velocity and acceleration are in the link."""
        data, v = self.data, self._base_velocity
        axes = quaternion.matrix(self._measured.base_orientation)
        change = np.zeros(6) if self._braked else data.qacc[v : v + 6]
        motion = data.qvel[v + 3 : v + 6], change[3:], change[:3]
        self._measured.imu[0] = imu.measure(motion, axes, self._random)

    def _steps(self, duration: float) -> int:
        return round(duration / self.options.timestep)

    def _consistent_posture(self) -> Array:
        """Return the initial posture, slaves of transmissions where their masters hold them."""
        posture = np.array(self.options.initial_position, dtype=float)
        follow_masters(posture, self.setup.joint_names, self.setup.couplings)
        return posture

    def _check_limits(self, joints: list[int]) -> None:
        for name, joint, position in zip(
            self.setup.joint_names, joints, self._initial.tolist(), strict=True
        ):
            lower, upper = self.model.jnt_range[joint]
            if self.model.jnt_limited[joint] and not lower <= position <= upper:
                raise RobotInterfaceError(
                    f"initial_position.{name}: found {position:g}, "
                    f"expected {lower:g} to {upper:g}, its limits"
                )
