"""Framing: where cameras stand, so that the robot is in the picture."""

from collections.abc import Collection

import numpy as np
from viser import ClientHandle, ViserServer

from controlit_console.aspect import PHONE, aspect
from controlit_ros.arrays import Array

FROM = np.array([0.78, -0.55, 0.30])  # direction from the robot to the camera: its right front
NEAREST = 0.9  # [m] from its middle to the camera
SHARE = 2.7  # [-] of half its size between it and the camera
FAR, CLOSE = 0.25, 0.05  # [m] of the robot's middle: cameras set out, and are there
NARROW = 0.75  # [-] width over height below which the camera stands farther away
FARTHEST = 2.0  # [-] times as far: a page that is still being made may say that it has no width
LOWER = 0.45  # [-] of the way to the robot, that a phone looks below it: its panel hides the rest
THERE = 1e-3  # [m] from where a page is sent first: nobody moved it
GLIDE = 0.06  # [-] of the way at each look: no eye takes it for a jump
UNTOLD = np.array([[3.0, -3.0, 3.0], [3.0, 3.0, 3.0]])
"""Where viser has a camera that it is not told of: before it knows what is up, and then [m]."""


class Framing:
    """Frames a robot once, on pages that are open and on those that come.

    Then who looks moves the camera, which comes along with a robot that goes away.

    Args:
        server: Of the pages.
    """

    def __init__(self, server: ViserServer) -> None:
        self._server = server
        self._is_done = False
        self._middle = np.zeros(3)
        self._followed: dict[int, Array] = {}
        self._gliding: set[int] = set()
        self._set(np.array([0.0, 0.0, 0.8]), 0.8)
        self._former = self._position

    def forget(self) -> None:
        """Frame the next robot."""
        self._is_done = False

    def frame(self, places: Array, following: Collection[int] = ()) -> None:
        """Frame a robot; once that is done follow it.

        Args:
            places: `(n, 3)` of its links in the world [m]; none: it is not known yet.
            following: Numbers of the pages whose cameras come along.
        """
        if not len(places):
            return
        if self._is_done:
            self._follow(places.mean(axis=0), following)
            return
        self._is_done = True
        self._middle, self._followed = places.mean(axis=0), {}
        low, high = places.min(axis=0), places.max(axis=0)
        middle, half = 0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low))
        self._former = self._position
        self._set(middle, half)
        for client in self._server.get_clients().values():
            self._stand(client)

    def welcome(self, client: ClientHandle) -> None:
        """Let a page see the robot that began to load before the robot was known, or is narrow."""
        if self._is_done and (self._is_late(client) or _is_at(client, self._position)):
            self._stand(client)

    def _is_late(self, client: ClientHandle) -> bool:
        """Tell whether a page says where its camera was before it was told where the robot is."""
        return any(_is_at(client, place) for place in (*UNTOLD, self._former))

    def _stand(self, client: ClientHandle, way: Array | None = None) -> None:
        """Put the camera of a page before the robot, farther away where its picture is narrow.

        A phone sees the robot above its panel.

        Args:
            client: The page.
            way: `(3,)` that the camera has gone along with the robot [m]; `None`: none.
        """
        shape = aspect(client.camera)
        farther = min(FARTHEST, max(1.0, NARROW / shape))
        middle = self._middle_seen if way is None else self._middle_seen + way
        away = farther * (self._position - self._middle_seen)
        lower = LOWER * np.linalg.norm(away) if shape < PHONE else 0.0
        client.camera.position = middle + away
        client.camera.look_at = middle - np.array([0.0, 0.0, lower])

    def _follow(self, middle: Array, following: Collection[int]) -> None:
        """Let cameras glide by as much as the robot's middle, `(3,)` [m], went away."""
        clients = self._server.get_clients()
        self._followed = {n: self._followed.get(n, self._middle) for n in clients}
        for number, client in clients.items():
            if self._is_late(client):  # or it would go on from there
                self._stand(client, self._followed[number] - self._middle)
            way = middle - self._followed[number]
            is_near = np.linalg.norm(way) < (CLOSE if number in self._gliding else FAR)
            if number not in following or is_near:
                self._gliding.discard(number)
                continue
            self._gliding.add(number)
            self._followed[number] = self._followed[number] + GLIDE * way
            client.camera.position = client.camera.position + GLIDE * way  # it turns nowhere

    def _set(self, middle: Array, half: float) -> None:
        away = FROM / np.linalg.norm(FROM) * max(NEAREST, SHARE * half)
        self._position, self._middle_seen = middle + away, middle
        self._server.initial_camera.position = self._position
        self._server.initial_camera.look_at = middle


def _is_at(client: ClientHandle, place: Array) -> bool:
    return bool(np.linalg.norm(client.camera.position - place) < THERE)
