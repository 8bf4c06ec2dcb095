"""support_area: whether a point is above what two feet stand on."""

from controlit_ros.arrays import Array
from controlit_ros.locomotion.footstep import Footstep


def is_between(point: Array, feet: tuple[Footstep, Footstep], reach: Array) -> bool:
    """Return whether a point is no farther from some point between two feet than their soles reach.

    Args:
        point: `(3,)` in the world [m].
        feet: Turned about alike.
        reach: `(2,)` how far a sole reaches from its middle, ahead and aside [m].
    """
    here, there = feet
    way = here.seen(there.position - here.position)
    off = here.seen(point - here.position)
    least, most = 0.0, 1.0  # [of the way] to the points that are near enough
    rooms = reach.tolist()
    for along, beside, room in zip(way.tolist(), off.tolist(), rooms, strict=True):
        if abs(along) < 1e-9:
            if abs(beside) > room:
                return False
            continue
        ends = sorted(((beside - room) / along, (beside + room) / along))
        least, most = max(least, ends[0]), min(most, ends[1])
    return least < most and min(rooms) > 0.0
