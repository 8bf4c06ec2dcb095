"""FeetObserver: what soles bear, and whether they stay where they are."""

from collections.abc import Mapping, Sequence

import numpy as np

from controlit_demos.comparison.error_observer import MILLIMETRES
from controlit_demos.comparison.trace import Trace
from controlit_ros.arrays import Array
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.recording.series import Series
from controlit_ros.scripting import SimulatedController

SLIP, FRICTION = "slip of the feet", "friction used"
MARGIN, EDGE = "centre of pressure inside by", "time at the edge of a sole"
NEAR = 1.0  # [mm] to the edge, where a sole is about to tip
MILLISECONDS = 1e3  # [ms/s]
PRESSED = 0.05  # [-] of the robot's weight from which a sole's pressure has a centre


class FeetObserver:
    """Looks at flat contacts with sensors whose bodies' z axis is the normal.

    Args:
        controller: Started.
        feet: Names of the contacts.
    """

    def __init__(self, controller: SimulatedController, feet: Sequence[str]) -> None:
        self._round = controller.round_time
        stack = controller.stack
        known = {contact.name: contact for contact in stack.constraints.contacts}
        sensors = [sensor.contact for sensor in stack.robot.sensors]
        self._rows = [sensors.index(name) for name in feet]
        self._half = np.array([known[name].parameter("half_size").value for name in feet])
        self._friction = np.array([known[name].parameter("friction").value for name in feet])
        self._simulation = simulated_robot(stack).simulation
        self._bodies = [self._simulation.data.body(known[name].body.value) for name in feet]
        self._state = self._simulation.initial_state()
        self._start = self._places()
        self._pressed = PRESSED * 9.81 * float(self._simulation.model.body_mass.sum())
        self._slip, self._margin, self._used = Series(1), Series(1), Series(1)

    def look(self, elapsed: float) -> None:
        """Keep how far the feet are from where they were, and what they bear."""
        moved = np.linalg.norm(self._places() - self._start, axis=1)
        self._slip.append(elapsed, [MILLIMETRES * moved.max()])
        self._simulation.state(self._state)
        wrench = self._state.sensed_wrench[self._rows]
        bears = wrench[:, 2] > self._pressed
        if not bears.any():
            return
        force, moment, normal = wrench[bears, :3], wrench[bears, 3:], wrench[bears, 2:3]
        center = np.column_stack((-moment[:, 1], moment[:, 0])) / normal
        inside = (self._half[bears] - np.abs(center)).min()
        self._margin.append(elapsed, [MILLIMETRES * inside])
        tangential = np.linalg.norm(force[:, :2], axis=1) / normal[:, 0]
        self._used.append(elapsed, [100.0 * (tangential / self._friction[bears]).max()])

    def findings(self) -> Mapping[str, float]:
        """Return the farthest way and the least margin [mm], use of friction [%], time [ms]."""
        margin = self._margin.track().values
        near = MILLISECONDS * self._round * np.count_nonzero(margin < NEAR)
        return {
            SLIP: float(self._slip.track().values.max()),
            MARGIN: float(margin.min()),
            EDGE: float(near),
            FRICTION: float(self._used.track().values.max()),
        }

    def traces(self) -> Sequence[Trace]:
        """Return all three over time."""
        return [
            Trace(f"{SLIP} [mm]", self._slip),
            Trace("pressure inside by [mm]", self._margin, 0.0),
            Trace(f"{FRICTION} [%]", self._used, 100.0),
        ]

    def _places(self) -> Array:
        return np.array([body.xpos for body in self._bodies])
