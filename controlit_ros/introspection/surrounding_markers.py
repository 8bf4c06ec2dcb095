"""SurroundingMarkers: what stands around a robot, told when it moves."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.introspection.marker import STONE, Key, Marker
from controlit_ros.introspection.solid_markers import solid_markers
from controlit_ros.introspection.views import SolidView

NAMESPACE = "scene/"  # before the name of a body
AGAIN = 1.0  # [s] after which what rests is told once more, to who came late
SAME = 1e-4  # [m, -] below what any eye sees


class Surroundings(Protocol):
    """Knows what else stands in the world."""

    def solids(self) -> Mapping[str, SolidView]:
        """Return things by name, as they are now; always the same names."""


class SurroundingMarkers:
    """Draws the surroundings: what moves at once, what rests once a second.

    Args:
        surroundings: What there is; `None`: nothing is known.
    """

    def __init__(self, surroundings: Surroundings | None) -> None:
        self._surroundings = surroundings
        self._told: dict[str, tuple[float, Array]] = {}

    def due(self, now: float) -> list[Marker]:
        """Return the markers that are to be told at a time [s]."""
        if self._surroundings is None:
            return []
        markers: list[Marker] = []
        for name, solid in self._surroundings.solids().items():
            pose = np.concatenate(solid.pose)
            if self._is_due(name, pose, now):
                self._told[name] = (now, pose)
                markers += solid_markers(Key(NAMESPACE + name, 0), solid, STONE)
        return markers

    def _is_due(self, name: str, pose: Array, now: float) -> bool:
        if name not in self._told:
            return True
        when, before = self._told[name]
        return not 0.0 <= now - when < AGAIN or bool(np.abs(pose - before).max() > SAME)
