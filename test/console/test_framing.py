"""Framing: the robot is in the picture, and stays there when it walks away."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.framing import CLOSE, FAR, UNTOLD, Framing

ROBOT = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
LOOKS = 200  # [#]
FOLLOWING, RESTING = 1, 2  # pages


class FakeCamera:
    """A camera whose point that it looks at goes along when it is moved, as viser has it."""

    def __init__(self, position=(0.0, 0.0, 0.0), width=800, height=600):
        self._position, self.look_at = np.array(position), np.zeros(3)
        self.image_width, self.image_height = width, height

    @property
    def position(self):
        return self._position

    @position.setter
    def position(self, place):
        self.look_at = self.look_at + place - self._position
        self._position = np.array(place)


def page(*arguments):
    return SimpleNamespace(camera=FakeCamera(*arguments))


@pytest.fixture
def server():
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


@pytest.mark.parametrize("untold", UNTOLD)
def test_a_page_that_tells_late_where_it_was_is_put_again(framing, server, untold):
    camera = server.get_clients()[FOLLOWING].camera
    begin, seen = camera.position.copy(), camera.look_at.copy()
    way = np.array([0.4, 0.0, 0.0])
    look(framing, way, 5)
    camera.position = untold  # sent before it was told to move
    camera.look_at = np.zeros(3)
    look(framing, way)
    np.testing.assert_allclose(camera.position - begin, way, atol=CLOSE)
    np.testing.assert_allclose(camera.position - camera.look_at, begin - seen, atol=1e-9)


@pytest.mark.parametrize("untold", UNTOLD)
def test_a_page_that_comes_untold_is_put_before_the_robot(framing, server, untold):
    late = page(untold)
    framing.welcome(late)
    usual = server.get_clients()[FOLLOWING].camera
    np.testing.assert_allclose(late.camera.position, usual.position)
    np.testing.assert_allclose(late.camera.look_at, usual.look_at)


def test_who_looks_may_move_the_camera_at_once(framing, server):
    camera = server.get_clients()[FOLLOWING].camera
    camera.position = np.array([3.0, 2.0, 3.0])
    look(framing, np.zeros(3))
    np.testing.assert_array_equal(camera.position, [3.0, 2.0, 3.0])


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
    pages[3] = page()
    for _ in range(LOOKS):
        framing.frame(ROBOT + way, [3])
    np.testing.assert_allclose(place(server, 3), way, atol=CLOSE)


def test_a_page_that_began_to_load_before_the_robot_was_known_sees_it(server):
    framing = Framing(server)
    late = page(server.initial_camera.position)  # which the page was told when it began
    framing.frame(ROBOT)
    framing.welcome(late)
    expected = server.get_clients()[FOLLOWING].camera
    np.testing.assert_allclose(late.camera.position, expected.position)
    np.testing.assert_allclose(late.camera.look_at, expected.look_at)


def test_a_camera_that_somebody_moved_stays_when_its_page_comes_back(framing):
    moved = page((3.0, 2.0, 3.0))
    framing.welcome(moved)
    np.testing.assert_array_equal(moved.camera.position, [3.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("width", "height", "farther"),
    [(800, 600, 1.0), (0, 0, 1.0), (450, 900, 1.5), (2, 900, 2.0)],
    ids=["broad", "unknown", "phone", "not made yet"],
)
def test_all_of_a_robot_is_in_narrow_pictures(framing, server, width, height, farther):
    shown = page(server.initial_camera.position, width, height)
    framing.welcome(shown)
    usual = server.get_clients()[FOLLOWING].camera
    way, straight = (c.position - usual.look_at for c in (shown.camera, usual))
    np.testing.assert_allclose(np.cross(way, straight), 0.0, atol=1e-9)
    ratio = np.linalg.norm(way) / np.linalg.norm(straight)
    assert ratio == pytest.approx(farther)


def test_a_phone_sees_the_robot_above_its_panel(framing, server):
    shown = page(server.initial_camera.position, 390, 844)
    framing.welcome(shown)
    camera = shown.camera
    forward = camera.look_at - camera.position
    right = np.cross(forward, [0.0, 0.0, 1.0])
    up = np.cross(right, forward)
    tangent = np.tan(0.5 * np.deg2rad(75.0))  # of viser's picture
    for link in ROBOT:
        way = link - camera.position
        ahead = way @ forward / np.linalg.norm(forward)
        height = way @ up / np.linalg.norm(up) / (ahead * tangent)
        assert 0.2 < height < 1.0  # from its middle up; the panel reaches to 0.2
