"""GaitObserver: how a robot walks, in the simulated world and as its sensors tell."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.locomotion.footstep import Side
from controlit_ros.locomotion.walking import Walking
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.recording.series import Series
from controlit_ros.robots.mujoco_wrenches import ContactForces
from controlit_ros.scripting import SimulatedController

PRESSED = 0.05  # [-] of the robot's weight from which a sole's pressure has a centre
SUPPORTS = {"both": 0.0, "left": 1.0, "right": -1.0}
"""How `Walking.support` is kept."""
WIDTHS = {
    "dcm": 3, "dcm_goal": 3, "repellent_point": 3,
    "base": 3, "yaw": 1, "estimate": 3, "tilt_error": 1,
    "support": 1, "forces": 2, "pressure": 4, "feet": 8, "steps": 1, "changes": 1,
}  # fmt: skip
"""What is kept, and of how many numbers."""


class Gait(NamedTuple):
    """All that was seen, `(n, …)` each, at the same times.

    Attributes:
        times: Since the run began [s].
        dcm: ξ as measured [m].
        dcm_goal: ξ as planned [m].
        repellent_point: As planned [m].
        base: True position of the root link [m].
        yaw: True, counted on over whole turns [rad].
        estimate: Position of the root link as the controller believes [m].
        tilt_error: Of the orientation it believes [rad].
        support: 1: on the left foot by plan and contacts, −1: on the right, 0: on both.
        forces: True, square to the left and the right sole [N].
        pressure: True centres of pressure from the middle of the left and the right sole, x and y;
            not a number where a sole bears next to nothing [m].
        feet: True x, y, z [m] and yaw [rad] of the left and the right sole.
        steps: How many have come down.
        changes: How often one was changed in the air.
    """

    times: Array
    dcm: Array
    dcm_goal: Array
    repellent_point: Array
    base: Array
    yaw: Array
    estimate: Array
    tilt_error: Array
    support: Array
    forces: Array
    pressure: Array
    feet: Array
    steps: Array
    changes: Array

    def between(self, begin: float, end: float) -> "Gait":
        """Return what was seen in a span of time [s], ends included."""
        within = (self.times >= begin) & (self.times <= end)
        return Gait(*(values[within] for values in self))


class GaitObserver:
    """Looks at the true world beside what the controller measures and plans.

    Args:
        controller: With a behaviour `Walking`, not yet moving.

    Attributes:
        walking: The behaviour.
        simulation: The world.
        half_size: `(2,)` of a sole [m]; zero: its feet are points.

    Raises:
        ControlItError: Its robot does not walk.
    """

    def __init__(self, controller: SimulatedController) -> None:
        self._controller = controller
        walking = [b for b in controller.stack.behaviours if isinstance(b, Walking)]
        if not walking:
            raise ControlItError(
                f"{controller.stack.configuration.name}: found no behaviour of type Walking, "
                "expected one"
            )
        self.walking = walking[0]
        self.simulation = simulated_robot(controller.stack).simulation
        contacts = {c.name: c for c in controller.stack.constraints.contacts}
        feet = [contacts[self.walking.contacts[side].value] for side in Side]
        felt = [controller.stack.robot.sensor_at(foot.site) for foot in feet]
        self._forces = ContactForces(self.simulation.model, felt)
        self._wrenches: Array = np.zeros((len(feet), 6))
        self._bodies = [self.simulation.data.body(sensor.link) for sensor in felt]
        self.half_size: Array = np.array(feet[0].site.half_size)
        self._sensed = self.simulation.initial_state()
        self._pressed = PRESSED * 9.81 * float(self.simulation.model.body_mass.sum())
        self._series = {name: Series(width) for name, width in WIDTHS.items()}
        self._yaw = _yaw(self.simulation.initial_state().base_orientation)

    def look(self, elapsed: float) -> None:
        """Keep how it is at a time since the run began [s]."""
        walking, estimator = self.walking, self._controller.stack.estimator
        self.simulation.state(self._sensed)
        base, orientation = self._sensed.base_position, self._sensed.base_orientation
        self._yaw += (_yaw(orientation) - self._yaw + np.pi) % (2.0 * np.pi) - np.pi
        forces, pressure = self._pressure()
        row = {
            "dcm": walking.dcm.value,
            "dcm_goal": walking.dcm_goal.value,
            "repellent_point": walking.repellent_point.value,
            "base": base,
            "yaw": self._yaw,
            "estimate": self._controller.node.coordinator.robot_state.base_position,
            "tilt_error": 0.0 if estimator is None else estimator.tilt_error.value,
            "support": SUPPORTS[walking.support.value],
            "forces": forces,
            "pressure": pressure,
            "feet": np.concatenate([_place(body) for body in self._bodies]),
            "steps": walking.steps_made.value,
            "changes": walking.changes.value,
        }
        for name, series in self._series.items():
            series.append(elapsed, row[name])

    @property
    def height(self) -> float:
        """How far the root link is above the lower sole [m]; after a look."""
        base, feet = self._series["base"].last, self._series["feet"].last
        assert base is not None
        assert feet is not None
        return float(base[2] - min(feet[2], feet[6]))

    @property
    def gait(self) -> Gait:
        """All that was seen."""
        tracks = {name: series.track() for name, series in self._series.items()}
        times = tracks["dcm"].times
        return Gait(times, *(tracks[name].values for name in WIDTHS))

    def _pressure(self) -> tuple[Array, Array]:
        wrench = self._wrenches
        self._forces.measure(self.simulation.data, wrench)
        force = wrench[:, 2].copy()
        with np.errstate(divide="ignore", invalid="ignore"):
            centers = np.column_stack([-wrench[:, 4], wrench[:, 3]]) / force[:, None]
        centers[force < self._pressed] = np.nan
        return force, centers.ravel()


def _place(body: object) -> Array:
    """Return x, y, z and yaw of a body of the simulation."""
    position, axes = body.xpos, body.xmat.reshape(3, 3)  # type: ignore[attr-defined]
    return np.array([*position, np.arctan2(axes[1, 0], axes[0, 0])])


def _yaw(quaternion: Array) -> float:
    x, y, z, w = quaternion.tolist()
    return float(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
