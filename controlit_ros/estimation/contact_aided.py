"""ContactAided: an inertial filter that knows that feet stand."""

import math

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array, Flags
from controlit_ros.estimation.base_estimator import BaseEstimator, EstimatorParts
from controlit_ros.estimation.contact_trigger import ContactTrigger
from controlit_ros.estimation.imu_check import ImuCheck
from controlit_ros.estimation.leg_kinematics import LegKinematics
from controlit_ros.kernels import inertial_filter as filters
from controlit_ros.kernels import is_finite_vector
from controlit_ros.model import RobotDescription, RobotState, quaternion
from controlit_ros.parameters import Parameter, ParameterError

START_TILT = 0.02  # [rad] of the first measurement of a unit that may be biased
LEVEL_TILT = 0.002  # [rad] of soles against level ground
START_SPEED = 0.05  # [m/s] of a robot that counts as standing
START_RATE_BIAS = 0.02  # [rad/s]
START_BIAS = 0.05  # [m/s²]
UPSIDE_DOWN = 1e-9 - 1.0  # [-] of the vertical along z: no rotation to it is the shortest
EXACT = 1e-4  # [m, rad] where the filter begins: by definition


class ContactAided(BaseEstimator):
    """An error-state Kalman filter over inertial unit, encoders and contacts.

    The unit leads position, velocity and orientation ahead. A contact that bears force stands where
    it came down, and what stands flat does not turn (`kernels.inertial_filter`). Nothing tells yaw
    nor where the robot is in the world but how it began: they drift slowly with the way.

    It begins with the robot at rest on its contacts: they are at `ground_height`, the root link is
    at `start` and turned by `start_yaw`. Its tilt is told by soles on level ground, else by what
    the unit feels of gravity, of which one noisy measurement of a biased unit is all there is.
    """

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self._declare_start()
        self._declare_contacts()
        self._declare_noise()
        self._declare_limits()

    def _number(
        self, key: str, default: float, unit: str, description: str, least: float = 0.0
    ) -> Parameter:
        return self.declare(key, default, lower=least, unit=unit, description=description)

    def _declare_start(self) -> None:
        self.start = self.declare(
            "start",
            (0.0, 0.0),
            shape=(2,),
            unit="m",
            description="where the root link is in the world when it begins, x and y",
        )
        self.start_yaw = self.declare(
            "start_yaw", 0.0, unit="rad", description="how it is turned then"
        )
        self.ground_height = self.declare(
            "ground_height", 0.0, unit="m", description="height of what it stands on then"
        )
        self.level_ground = self._number(
            "level_ground",
            0.0,
            "m",
            "from how far off that height a contact that comes down counts as being at it; soles "
            "then tell the tilt when it begins; 0: ground is not thought to be level, and heights "
            "drift with the way",
        )

    def _declare_contacts(self) -> None:
        number = self._number
        self.make_force = number(
            "make_force",
            0.15,
            "weights",
            "force from which a contact stands, of all the weight",
        )
        self.break_force = number(
            "break_force", 0.08, "weights", "force below which it does not any more"
        )
        self.still_time = number(
            "still_time",
            1.5,
            "s",
            "how long a flat contact must stand until it counts as one that does not turn: those "
            "of a robot that walks do, a little",
        )
        self.make_time = number("make_time", 0.01, "s", "how long the force must last")
        self.expected_make_time = number(
            "expected_make_time",
            0.03,
            "s",
            "how long it must where no sensor tells it: a foot comes down later than expected",
        )

    def _declare_noise(self) -> None:
        number = self._number
        self._densities = (
            number("rate_noise", 0.001, "rad/s/√Hz", "noise of angular velocities"),
            number("acceleration_noise", 0.02, "m/s²/√Hz", "noise of specific forces"),
            number("rate_bias_walk", 2e-5, "rad/s²/√Hz", "how fast their bias changes"),
            number("acceleration_bias_walk", 1e-3, "m/s³/√Hz", "how fast their bias changes"),
            number("contact_slip", 0.005, "m/s/√Hz", "how much contacts creep"),
        )
        self._deviations = (
            number("place_noise", 0.002, "m", "how exactly encoders tell where a contact is", 1e-6),
            number(
                "turn_noise", 0.3, "rad/s", "how much a flat contact turns while it stands", 1e-6
            ),
        )

    def _declare_limits(self) -> None:
        number = self._number
        self._limits = (
            number("max_rate", 20.0, "rad/s", "highest angular velocity that is believed"),
            number("max_acceleration", 150.0, "m/s²", "highest specific force that is believed"),
            number("max_jump", 3.0, "rad/s", "farthest that angular velocity jumps at once"),
        )
        self.imu_timeout = number(
            "imu_timeout", 0.05, "s", "how long the unit may be silent before the base is lost"
        )

    def configure(self, parts: EstimatorParts) -> None:
        """Allocate.

        Raises:
            ParameterError: The robot has no contacts, or a contact breaks before it is made.
        """
        contacts, robot = parts.contacts, parts.robot
        if not contacts:
            raise ParameterError(
                f"{self.name}: found a robot without contacts, expected some in constraints: "
                "nothing else tells where it is"
            )
        if self.break_force.value > self.make_force.value:
            raise ParameterError(
                f"{self.break_force.full_name}: found {self.break_force.value:g}, expected at most "
                f"{self.make_force.name}, {self.make_force.value:g}"
            )
        self._kinematics = LegKinematics(robot, contacts)
        self._trigger = ContactTrigger(robot, contacts)
        self._check = ImuCheck()
        n = len(contacts)
        self._is_sole: Flags = np.array([c.site.holds_rotation for c in contacts], dtype=np.bool_)
        self._stood: Flags = np.zeros(n, dtype=np.bool_)
        self._x: Array = np.zeros(filters.D + 3 * n)
        self._C: Array = np.zeros((filters.ED + 3 * n, filters.ED + 3 * n))
        self._gravity: Array = np.array(robot.pinocchio.gravity.linear)
        mass = sum(inertia.mass for inertia in robot.pinocchio.inertias)
        self._weight = float(mass * np.linalg.norm(self._gravity))
        self._mount = np.concatenate([self.imu_position.value, self.imu_orientation.value])
        self._axes = quaternion.matrix(self.imu_orientation.value)  # of the unit in the root link
        self._root_axes: Array = np.eye(3)
        self._settings = (
            *(*self._densities, *self._deviations),
            *(self.ground_height, self.level_ground, self.still_time),
        )
        self._pose, self._velocity = np.zeros(7), np.zeros(6)
        self._rehearse(robot)

    def _rehearse(self, robot: RobotDescription) -> None:
        """Take in a measurement to no effect: what is compiled is compiled now."""
        self.begin()
        still = robot.create_state()
        still.imu[:] = (0.0, 0.0, 0.0, *-self._gravity)
        self.estimate(still, 0.0)
        self.begin()

    def begin(self) -> None:
        """Forget what was; the robot is where it is told to begin."""
        self._is_on = False
        self._pose[:] = (*self.start.value, 0.0, 0.0, 0.0, 0.0, 1.0)
        self._velocity.fill(0.0)
        self._yaw = self.start_yaw.value
        self._ground = self.ground_height.value
        self._check.begin()
        self._trigger.begin()

    def estimate(self, state: RobotState, elapsed: float) -> str:
        """Take in a measurement and write the base of it; see `BaseEstimator`."""
        check = self._check
        limits = tuple(limit.value for limit in self._limits)
        check.take(state.imu[0], limits, elapsed)
        self.refused, self.reason = check.refused, check.reason
        if not check.has_good or check.age > self.imu_timeout.value:
            self._lose()
            self._write(state)
            return self._silence()
        if self._is_on:
            self._go_on(state, elapsed)
        else:
            self._set_off(state)
        if not is_finite_vector(self._x):
            self._lose()
            self._write(state)
            return "the estimate of the base is not finite"
        filters.root_motion(self._x, check.good[:3], self._mount, self._pose, self._velocity)
        self._write(state)
        return ""

    def _set_off(self, state: RobotState) -> None:
        """Begin with the robot at rest: soles on level ground, or gravity, tell its tilt."""
        x, C = self._x, self._C
        root = self._upright(self._axes @ self._check.good[3:])
        self._kinematics.update(state, root)
        self._look(state, root, 0.0)
        level = self._is_sole & self._trigger.touches & (self.level_ground.value > 0.0)
        if level.any():
            root = self._upright(self._kinematics.axes[level, :, 2].mean(axis=0))
        unit = root @ self._axes
        x.fill(0.0)
        x[filters.P + 2] = self._ground - self._height_of_feet(root)
        x[filters.P : filters.P + 2] = self._pose[:2]
        x[filters.P : filters.P + 3] += root @ self._mount[:3]
        x[filters.Q : filters.BW] = _quaternion(unit)
        self._doubt(C, LEVEL_TILT if level.any() else START_TILT)
        self._stood.fill(False)
        self._is_on = True
        self._go_on(state, 0.0)

    def _doubt(self, C: Array, tilt: float) -> None:
        """Write how little is known where it begins, of the tilt so much [rad]."""
        C.fill(0.0)
        deviations = (EXACT, START_SPEED, tilt, START_RATE_BIAS, START_BIAS)
        for i, deviation in enumerate(deviations):
            C[range(3 * i, 3 * i + 3), range(3 * i, 3 * i + 3)] = deviation**2
        yaw = filters.ET + 2
        C[yaw, yaw] = EXACT**2

    def _upright(self, vertical: Array) -> Array:
        """Return the axes of the root link in the world, `(3, 3)`, from the vertical in them."""
        up = vertical / max(float(np.linalg.norm(vertical)), 1e-9)
        # the shortest rotation that takes the felt vertical to the world's, after it the yaw
        x, y, z = up.tolist()
        if z > UPSIDE_DOWN:
            k = 1.0 / (1.0 + z)
            tilt = np.array(
                [[1 - k * x * x, -k * x * y, -x], [-k * x * y, 1 - k * y * y, -y], [x, y, z]]
            )
        else:  # all level axes are as short
            tilt = np.diag([1.0, -1.0, -1.0])
        c, s = math.cos(self._yaw), math.sin(self._yaw)
        found: Array = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ tilt
        return found

    def _go_on(self, state: RobotState, elapsed: float) -> None:
        kinematics, trigger = self._kinematics, self._trigger
        filters.root_axes(self._x, self._mount, self._root_axes)
        kinematics.update(state, self._root_axes)
        if elapsed > 0.0:
            self._look(state, self._root_axes, elapsed)
        slipped = filters.filter_in_root(
            self._x,
            self._C,
            self._check.good,
            self._gravity,
            elapsed,
            np.array([setting.value for setting in self._settings]),
            self._mount,
            kinematics.places,
            kinematics.rates,
            kinematics.balls,
            trigger.touches,
            self._stood,
            self._is_sole,
            trigger.stood,
        )
        if slipped:
            self.slips.value += slipped

    def _look(self, state: RobotState, root: Array, elapsed: float) -> None:
        """Look which contacts stand."""
        weight = self._weight
        thresholds = np.array(
            [
                self.make_force.value * weight,
                self.break_force.value * weight,
                self.make_time.value,
                self.expected_make_time.value,
            ]
        )
        self._trigger.update(state, root, self._kinematics.axes, thresholds, elapsed)

    def _lose(self) -> None:
        """Know no more how it moves; it begins anew where it is believed to be."""
        if self._is_on:
            _, _, z, w = self._pose[3:].tolist()
            self._yaw = 2.0 * math.atan2(z, w)  # as `_upright` composes it, not of the x axis
            root = quaternion.matrix(self._pose[3:])
            ground = float(self._pose[2]) + self._height_of_feet(root)
            self._ground = ground if math.isfinite(ground) else self._ground
        self._is_on = False
        self._velocity.fill(0.0)
        self._trigger.begin()

    def _height_of_feet(self, root: Array) -> float:
        """Return the mean height of the contacts that touch above the root link [m].

        The lowest contact counts if none touches.

        Args:
            root: `(3, 3)` axes of the root link in the world.
        """
        heights = (self._kinematics.places @ root.T)[:, 2]
        touches = self._trigger.touches
        return float(heights[touches].mean() if touches.any() else heights.min())

    def _write(self, state: RobotState) -> None:
        np.copyto(state.base_position, self._pose[:3])
        np.copyto(state.base_orientation, self._pose[3:])
        np.copyto(state.base_velocity, self._velocity)

    def _silence(self) -> str:
        if not self._check.has_good:
            return f"no inertial measurement yet: {self._check.reason}"
        return (
            f"no inertial measurement for {self._check.age:.3f} s, expected within "
            f"{self.imu_timeout.value:g} s: {self._check.reason}"
        )


def _quaternion(axes: Array) -> Array:
    """Return the unit quaternion xyzw of axes `(3, 3)`."""
    found: Array = pin.Quaternion(axes).coeffs()
    return found
