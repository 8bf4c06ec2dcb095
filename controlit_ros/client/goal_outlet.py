"""GoalOutlet: sends the goal of a task and its derivatives."""

import time
from typing import NamedTuple

from controlit_ros.arrays import Array
from controlit_ros.bindings.conversion_type import Conversion
from controlit_ros.paths.angular import angular
from controlit_ros.paths.trajectory import TrajectorySample
from controlit_ros.transport import COMMAND, Publisher, Transport


class GoalPlace(NamedTuple):
    """Where a parameter travels, and how.

    Attributes:
        topic: Absolute, or relative to the namespace of the transport.
        travel: Between values and messages.
    """

    topic: str
    travel: Conversion


class GoalPlaces(NamedTuple):
    """Where goals of a task go in.

    Attributes:
        goal: The goal itself.
        velocity: Its velocity; `None` if the task takes none.
        acceleration: Its acceleration, likewise.
        turns: Whether the goal ends with a quaternion, whose derivatives travel as angular ones.
    """

    goal: GoalPlace
    velocity: GoalPlace | None
    acceleration: GoalPlace | None
    turns: bool = False


class GoalOutlet:
    """Publishes samples: what is fed forward first, so that a goal never comes without.

    Args:
        transport: Carries them.
        places: Where they go.
    """

    def __init__(self, transport: Transport, places: GoalPlaces) -> None:
        self._turns = places.turns
        self._outlets = [
            (field, place.travel, transport.publisher(place.topic, place.travel.type_name, COMMAND))
            for field, place in (
                ("acceleration", places.acceleration),
                ("velocity", places.velocity),
                ("value", places.goal),
            )
            if place is not None
        ]

    @property
    def publishers(self) -> tuple[Publisher, ...]:
        """One for each topic."""
        return tuple(publisher for _, _, publisher in self._outlets)

    @property
    def subscribers(self) -> int:
        """Topics that somebody listens to."""
        return sum(publisher.subscriber_count() > 0 for publisher in self.publishers)

    @property
    def is_heard(self) -> bool:
        """Whether somebody listens to each topic."""
        return self.subscribers == len(self._outlets)

    def send(self, sample: TrajectorySample) -> None:
        """Send a goal with its velocity and acceleration."""
        fed_forward = angular(sample) if self._turns else sample
        for field, travel, publisher in self._outlets:
            values: Array = getattr(fed_forward, field)
            publisher.publish(travel.to_message(values, time.time()))

    def close(self) -> None:
        """Send no more."""
        for publisher in self.publishers:
            publisher.close()
