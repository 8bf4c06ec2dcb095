"""A velocity while a key is held."""

import numpy as np
import pytest

from controlit_ros.cli.held_keys import FIRST, REPEATS, HeldKeys

SPEEDS = np.array([0.3, 0.1, 0.5])
NOTHING = [0.0, 0.0, 0.0]


@pytest.fixture
def keys():
    return HeldKeys(SPEEDS)


@pytest.mark.parametrize(
    ("text", "velocity"),
    [
        ("w", [0.3, 0.0, 0.0]),
        ("S", [-0.3, 0.0, 0.0]),
        ("q", [0.0, 0.1, 0.0]),
        ("e", [0.0, -0.1, 0.0]),
        ("a", [0.0, 0.0, 0.5]),
        ("d", [0.0, 0.0, -0.5]),
        ("\x1b[A", [0.3, 0.0, 0.0]),
        ("\x1bOB", [-0.3, 0.0, 0.0]),
        ("\x1b[D", [0.0, 0.0, 0.5]),
        ("\x1b[C", [0.0, 0.0, -0.5]),
        ("wwwd", [0.0, 0.0, -0.5]),
    ],
)
def test_a_key_is_a_direction(keys, text, velocity):
    keys.take(text, 10.0)
    np.testing.assert_allclose(keys.velocity(10.0), velocity)


def test_it_goes_until_the_keyboard_would_have_repeated(keys):
    keys.take("w", 0.0)
    assert keys.velocity(FIRST - 1e-6).any()
    assert keys.velocity(FIRST).tolist() == NOTHING


def test_once_it_repeats_letting_go_is_noticed_soon(keys):
    for now in (0.0, 0.5, 0.53, 0.56):
        keys.take("w", now)
    assert keys.velocity(0.56 + REPEATS - 1e-6).any()
    assert keys.velocity(0.56 + REPEATS).tolist() == NOTHING


def test_a_second_press_after_a_rest_is_a_first_one(keys):
    keys.take("w", 0.0)
    keys.take("w", FIRST + 0.1)
    assert keys.velocity(FIRST + 0.1 + 2 * REPEATS).any()


@pytest.mark.parametrize("key", [" ", "5", "\x1b[H", "ü"])
def test_any_other_key_stops(keys, key):
    keys.take("w", 0.0)
    keys.take(key, 0.1)
    assert keys.velocity(0.1).tolist() == NOTHING
    assert not keys.ended


def test_an_arrow_may_come_in_pieces(keys):
    for piece in ("\x1b", "[", "A"):
        keys.take(piece, 0.0)
    np.testing.assert_allclose(keys.velocity(0.0), [0.3, 0.0, 0.0])


@pytest.mark.parametrize("key", ["x", "\x04"])
def test_it_ends(keys, key):
    keys.take("w", 0.0)
    keys.take(key, 0.1)
    assert keys.ended
    assert keys.velocity(0.1).tolist() == NOTHING
