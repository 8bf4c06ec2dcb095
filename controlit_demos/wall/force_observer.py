"""ForceObserver: what a wall feels."""

from collections.abc import Mapping, Sequence

import mujoco
import numpy as np

from controlit_demos.comparison.trace import Trace
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.recording.series import Series
from controlit_ros.robots.scene import PREFIX
from controlit_ros.scripting import SimulatedController

FORCE, ERROR = "force on the wall, highest", "force on the wall, error where it holds"


class ForceObserver:
    """Looks at the normal force on a geom of the scene, beside the force that is asked for.

    Args:
        controller: Started.
        geom: Name of the geom, which has frictionless contacts.

    Attributes:
        asked: Force that the wall should feel [N]; not a number: its error does not count.
    """

    def __init__(self, controller: SimulatedController, geom: str) -> None:
        self._simulation = simulated_robot(controller.stack).simulation
        self._geom = self._simulation.model.geom(f"{PREFIX}{geom}").id
        self._felt, self._errors = Series(1), Series(1)
        self.asked = np.nan

    def look(self, elapsed: float) -> None:
        """Keep the force, and its error where that counts."""
        force = self._force()
        self._felt.append(elapsed, [force])
        if not np.isnan(self.asked):
            self._errors.append(elapsed, [abs(force - self.asked)])

    def findings(self) -> Mapping[str, float]:
        """Return the highest force and the largest error [N]; not a number without any."""
        errors = self._errors.track().values
        return {
            FORCE: float(self._felt.track().values.max()),
            ERROR: float(errors.max()) if len(errors) else np.nan,
        }

    def traces(self) -> Sequence[Trace]:
        """Return the force over time."""
        return [Trace("force on the wall [N]", self._felt)]

    def _force(self) -> float:
        model, data = self._simulation.model, self._simulation.data
        found, total = np.zeros(6), 0.0
        for i in np.flatnonzero((data.contact.geom == self._geom).any(axis=1)).tolist():
            mujoco.mj_contactForce(model, data, i, found)
            total += float(found[0])
        return total
