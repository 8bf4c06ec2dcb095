"""Graphs of modes for tests."""

import random

from controlit_ros.modes import ModeGraph, ModeTransition
from controlit_ros.parameters import Expression, ParameterDirectory, ParameterReflection


class Door(ParameterReflection):
    """Parameters that guards look at."""

    def __init__(self):
        super().__init__("door")
        self.open = self.declare("open", False)
        self.alarm = self.declare("alarm", False)


def drawn(seed, modes=7, ways=18):
    """Return a graph drawn at random, and what its guards look at."""
    draw, door = random.Random(seed), Door()
    directory = ParameterDirectory([door])
    names = [f"m{number}" for number in range(modes)]
    found = {}
    ring = list(zip(names, [*names[1:], names[0]], strict=True))  # or some modes are never left
    for source, target in (*ring, *(draw.sample(names, 2) for _ in range(ways))):
        guard = draw.choice([None, "door.open", "not door.open"])
        automatic = guard is not None and draw.random() < 0.1
        found[source, target, automatic] = ModeTransition(
            source,
            target,
            Expression("door.alarm" if automatic else guard, directory) if guard else None,
            hold=draw.choice([0.0, 0.02]) if guard else 0.0,
            after=draw.choice([0.0, 0.0, 0.01]),
            wait=0.0 if automatic else draw.choice([0.0, 0.05]),
            automatic=automatic,
        )
    through = [
        ModeTransition(a, c, through=b)
        for (a, b, one) in list(found)
        for (d, c, other) in list(found)
        if b == d and a != c and not (one or other) and (a, c, False) not in found
    ]
    for way in draw.sample(through, min(3, len(through))):
        found.setdefault((way.source, way.target, False), way)
    return ModeGraph(names, names[0], found.values()), door
