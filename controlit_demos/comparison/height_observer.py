"""HeightObserver: whether a robot stands."""

from collections.abc import Mapping, Sequence

from controlit_demos.comparison.trace import Trace
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.recording.series import Series
from controlit_ros.robots.mujoco_model import root_link
from controlit_ros.scripting import SimulatedController

HEIGHT = "lowest centre of mass"


class HeightObserver:
    """Looks at the height of the centre of mass, beside that at the start.

    Args:
        controller: Started.
    """

    def __init__(self, controller: SimulatedController) -> None:
        self._simulation = simulated_robot(controller.stack).simulation
        self._root = self._simulation.model.body(root_link(self._simulation.setup.urdf)).id
        self._start = self._height()
        self._series = Series(1)

    def look(self, elapsed: float) -> None:
        """Keep the height [% of that at the start]."""
        self._series.append(elapsed, [100.0 * self._height() / self._start])

    def findings(self) -> Mapping[str, float]:
        """Return the least height [% of that at the start]."""
        return {HEIGHT: float(self._series.track().values.min())}

    def traces(self) -> Sequence[Trace]:
        """Return the height over time."""
        return [Trace("height [%]", self._series)]

    def _height(self) -> float:
        return float(self._simulation.data.subtree_com[self._root, 2])
