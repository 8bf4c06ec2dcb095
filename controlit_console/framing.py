"""Framing: where cameras stand when a robot appears, so that all of it is in the picture."""

import numpy as np
from viser import ViserServer

from controlit_ros.arrays import Array

FROM = np.array([0.78, -0.55, 0.30])  # direction from the robot to the camera: its right front
NEAREST = 0.9  # [m] from its middle to the camera
SHARE = 2.8  # [-] of half its size between it and the camera
LOW = 0.2  # [-] of its size that the camera looks below its middle: panels cover the lower part


class Framing:
    """Frames a robot once, on pages that are open and on those that come; then who looks moves it.

    Args:
        server: Of the pages.
    """

    def __init__(self, server: ViserServer) -> None:
        self._server = server
        self._is_done = False
        self._set(np.array([0.0, 0.0, 0.8]), 0.8)

    def forget(self) -> None:
        """Frame the next robot."""
        self._is_done = False

    def frame(self, places: Array) -> None:
        """Frame a robot, unless that is done.

        Args:
            places: `(n, 3)` of its links in the world [m]; none: it is not known yet.
        """
        if self._is_done or not len(places):
            return
        self._is_done = True
        low, high = places.min(axis=0), places.max(axis=0)
        middle, half = 0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low))
        middle[2] -= LOW * half
        self._set(middle, half)
        for client in self._server.get_clients().values():
            client.camera.position, client.camera.look_at = self._position, middle

    def _set(self, middle: Array, half: float) -> None:
        away = FROM / np.linalg.norm(FROM) * max(NEAREST, SHARE * half)
        self._position = middle + away
        self._server.initial_camera.position = self._position
        self._server.initial_camera.look_at = middle
