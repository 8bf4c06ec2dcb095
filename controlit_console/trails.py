"""Trails: where points of the robot have been lately."""

from collections import deque
from typing import Any
from urllib.parse import quote

import numpy as np
from viser import SceneApi

from controlit_console.marker_kinds import SPHERE
from controlit_console.seen_marker import SeenMarker
from controlit_ros.arrays import Array

ROOT = "/trails"
KEPT = 6.0  # [s] after which a trail is gone
STEP = 0.004  # [m] between two of its points: what rests leaves none
LONGEST = 300  # [#] points
WIDTH = 2.0  # [px]
SHAPES = 10  # [#] numbers of markers that a shape of a task has
ACTUAL = 1  # of these, the ball at the actual value


class Trails:
    """Draws a line behind every point that a task moves, by the balls at actual values.

    Args:
        scene: Where to draw.
    """

    def __init__(self, scene: SceneApi) -> None:
        self._scene = scene
        self._trails: dict[tuple[str, int], _Trail] = {}

    def follow(self, markers: list[SeenMarker], now: float) -> None:
        """Take the markers of a moment [s]; those that are deleted leave no trail."""
        for marker in markers:
            key = (marker.ns, marker.id)
            if marker.is_deleted:
                if key in self._trails:
                    self._trails.pop(key).remove()
            elif marker.type == SPHERE and key[1] % SHAPES == ACTUAL:
                if key not in self._trails:
                    self._trails[key] = _Trail(self._scene, key, marker)
                self._trails[key].lead(marker.position.copy(), now)

    def clear(self) -> None:
        """Take everything away."""
        for trail in self._trails.values():
            trail.remove()
        self._trails.clear()


class _Trail:
    """One line."""

    def __init__(self, scene: SceneApi, key: tuple[str, int], marker: SeenMarker) -> None:
        red, green, blue, _ = marker.color.tolist()
        self._times: deque[float] = deque(maxlen=LONGEST)
        self._places: deque[Array] = deque(maxlen=LONGEST)
        self._node: Any = scene.add_line_segments(
            f"{ROOT}/{quote(key[0], safe='')}/{key[1]}",
            np.zeros((1, 2, 3), np.float32),
            (red, green, blue),
            thickness=WIDTH,
            thickness_units="screen",
            visible=False,
        )

    def lead(self, place: Array, now: float) -> None:
        """Go on to a place, `(3,)` [m]; what is too old goes."""
        before = len(self._times)
        while self._times and now - self._times[0] > KEPT:
            self._times.popleft()
            self._places.popleft()
        has_moved = not self._places or np.linalg.norm(place - self._places[-1]) > STEP
        if has_moved:
            self._times.append(now)
            self._places.append(place)
        if has_moved or len(self._times) != before:
            self._draw()

    def remove(self) -> None:
        """Take it away."""
        self._node.remove()

    def _draw(self) -> None:
        is_line = len(self._places) > 1
        if is_line:
            places = np.array(self._places, dtype=np.float32)
            self._node.points = np.stack([places[:-1], places[1:]], axis=1)
        if self._node.visible != is_line:
            self._node.visible = is_line
