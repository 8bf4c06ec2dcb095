"""Framing: the robot is in the picture, and stays there when it walks away."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.framing import CLOSE, FAR, Framing

ROBOT = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
LOOKS = 200  # [#]
FOLLOWING, RESTING = 1, 2  # pages


@pytest.fixture
def server():
    def page():
        return SimpleNamespace(camera=SimpleNamespace(position=np.zeros(3), look_at=np.zeros(3)))

    pages = {FOLLOWING: page(), RESTING: page()}
    return SimpleNamespace(get_clients=lambda: pages, initial_camera=SimpleNamespace())


@pytest.fixture
def framing(server):
    framing = Framing(server)
    framing.frame(ROBOT)
    return framing


def place(server, page):
    return server.get_clients()[page].camera.position.copy()


def look(framing, way, times=LOOKS):
    for _ in range(times):
        framing.frame(ROBOT + way, [FOLLOWING])


def test_a_robot_that_goes_away_is_followed(framing, server):
    begin, way = place(server, FOLLOWING), np.array([3.0, 0.5, 0.4])
    look(framing, way)
    np.testing.assert_allclose(place(server, FOLLOWING) - begin, way, atol=CLOSE)


def test_who_does_not_want_that_stays(framing, server):
    begin = place(server, RESTING)
    look(framing, np.array([3.0, 0.0, 0.0]))
    np.testing.assert_array_equal(place(server, RESTING), begin)


def test_a_robot_that_sways_moves_no_camera(framing, server):
    begin = place(server, FOLLOWING)
    look(framing, np.array([0.9 * FAR, 0.0, 0.0]))
    np.testing.assert_array_equal(place(server, FOLLOWING), begin)


def test_cameras_do_not_jump(framing, server):
    begin, way = place(server, FOLLOWING), np.array([2.0 * FAR, 0.0, 0.0])
    look(framing, way, times=1)
    assert 0.0 < np.linalg.norm(place(server, FOLLOWING) - begin) < 0.1 * np.linalg.norm(way)


def test_who_comes_late_catches_up(framing, server):
    way = np.array([3.0, 0.0, 0.0])
    look(framing, way)
    pages = server.get_clients()
    pages[3] = SimpleNamespace(camera=SimpleNamespace(position=np.zeros(3)))
    for _ in range(LOOKS):
        framing.frame(ROBOT + way, [3])
    np.testing.assert_allclose(place(server, 3), way, atol=CLOSE)
