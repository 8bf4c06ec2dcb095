"""Pieces of one memory: never two for the same bytes, zero at first, all of it free in the end."""

import numpy as np
import pytest

from controlit_ros.servo.arena import Arena, ArenaFullError

SIZE = 4096


@pytest.mark.parametrize("seed", range(5))
def test_pieces_never_overlap_and_all_come_back(seed):
    rng = np.random.default_rng(seed)
    arena = Arena(SIZE)
    taken, refused = {}, 0
    for mark in range(1, 400):
        if taken and rng.random() < 0.45:
            begin = list(taken)[rng.integers(len(taken))]
            size, content = taken.pop(begin)
            assert bytes(arena.at(begin, size)) == bytes([content]) * size  # nobody wrote to it
            arena.give_back(begin)
            continue
        size = int(rng.integers(0, 900))
        try:
            begin = arena.take(size)
        except ArenaFullError:
            refused += 1
            continue
        assert not any(arena.at(begin, size))
        arena.at(begin, size)[:] = bytes([mark % 255 + 1]) * size
        taken[begin] = size, mark % 255 + 1
    assert refused
    for begin in taken:
        arena.give_back(begin)
    assert arena.take(SIZE) == 0  # in one piece again


def test_what_was_taken_elsewhere_is_not_given_back():
    arena = Arena(SIZE)
    arena.give_back(64)
    assert arena.take(SIZE) == 0
    with pytest.raises(ArenaFullError, match="found no 1 bytes left"):
        arena.take(1)
