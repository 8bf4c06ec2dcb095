"""Placement: where the things of product disassembly are, and where they seem to be."""

from typing import NamedTuple

import numpy as np

from controlit_demos.disassembly.level_pose import LevelPose

SHIFT = 0.01  # [m] that each stand is off, to either side, forwards and backwards
TURN = 4.0  # [°] that each stand is turned, either way
SLIDE = 0.005  # [m] that the tube lies off the middle of its stand, along it
PLUG_OUT = 0.002  # [m] that the plug may stand out of the tube
POSITION_ERROR = 0.001  # [m] standard deviation of a perceived position, each axis
HEADING_ERROR = 0.5  # [°] standard deviation of a perceived heading


class Placement(NamedTuple):
    """Poses of what is taken apart, and of where it goes.

    Attributes:
        stand: Of the tube's stand.
        tube: Of the tube's middle; it lies along its y axis.
        valve: Of the valve, where head and plug meet.
        store: Of the second stand.
    """

    stand: LevelPose
    tube: LevelPose
    valve: LevelPose
    store: LevelPose


NOMINAL = Placement(
    stand=LevelPose((0.42, -0.12, 1.05)),
    tube=LevelPose((0.42, -0.12, 1.05)),
    valve=LevelPose((0.42, -0.0095, 1.05)),
    store=LevelPose((0.42, -0.4, 1.0)),
)
"""As config/scenes/disassembly.xml has it."""


def random_placement(seed: int) -> Placement:
    """Return where things are in the run of a seed.

    Both stands are off and turned; on the first, the tube is not quite in the middle and the valve
    not quite home.
    """
    random = np.random.default_rng((seed, 0))
    stand = _displaced(NOMINAL.stand, random)
    store = _displaced(NOMINAL.store, random)
    tube = stand.moved(0.0, random.uniform(-SLIDE, SLIDE), 0.0, 0.0)
    along = NOMINAL.valve.position[1] - NOMINAL.tube.position[1]
    valve = tube.moved(0.0, along + random.uniform(0.0, PLUG_OUT), 0.0, 0.0)
    return Placement(stand, tube, valve, store)


def perceived(placement: Placement, seed: int) -> Placement:
    """Return where things seem to be.

    Each pose has errors of its own, in all three directions and in its heading.
    """
    random = np.random.default_rng((seed, 1))
    return Placement(*(_mistaken(pose, random) for pose in placement))


def _displaced(pose: LevelPose, random: np.random.Generator) -> LevelPose:
    x, y = random.uniform(-SHIFT, SHIFT, 2)
    return pose.moved(x, y, 0.0, random.uniform(-TURN, TURN))


def _mistaken(pose: LevelPose, random: np.random.Generator) -> LevelPose:
    x, y, z = random.normal(0.0, POSITION_ERROR, 3)
    return pose.moved(x, y, z, random.normal(0.0, HEADING_ERROR))
