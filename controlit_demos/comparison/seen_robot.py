"""SeenRobot: where the bodies of a simulated robot truly are."""

from collections.abc import Iterable, Sequence

import coal
import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model import RobotModel, RobotState
from controlit_ros.model.body_shapes import BodyShapes
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.scripting import SimulatedController


class SeenRobot:
    """A model at the state of the simulation, with the shapes of the bodies.

    Args:
        controller: Started.
        bodies: Links whose distance is looked at.
        others: Links they are kept clear of.
        ball: Radius of a ball they are kept clear of [m]; 0: there is none.

    Attributes:
        ball: `(3,)` where the ball is [m].
    """

    def __init__(
        self,
        controller: SimulatedController,
        bodies: Iterable[str],
        others: Iterable[str] = (),
        ball: float = 0.0,
    ) -> None:
        robot = controller.stack.robot
        self._simulation = simulated_robot(controller.stack).simulation
        self._state: RobotState = self._simulation.initial_state()
        self._model = RobotModel(robot)
        self._shapes = BodyShapes(robot)
        self._still = np.array([0.0, 0.0, 0.0, 1.0])
        seconds: Sequence[int] = self._shapes.shapes_of(others)
        self._ball: int | None = None
        if ball > 0.0:
            self._ball = self._shapes.add_obstacle("ball", coal.Sphere(ball))
            seconds = (*seconds, self._ball)
        pairs = [(a, b) for a in self._shapes.shapes_of(bodies) for b in seconds]
        self._shapes.watch(pairs)
        self._distances = np.zeros(len(pairs))
        self.ball: Array = np.zeros(3)

    def distance(self) -> float:
        """Return the least distance [m]; below zero where bodies overlap."""
        self._simulation.state(self._state)
        self._model.update(self._state)
        if self._ball is not None:
            self._shapes.move(self._ball, self._still, self.ball)
        self._shapes.update(self._model, self._distances)
        return float(self._distances.min())
