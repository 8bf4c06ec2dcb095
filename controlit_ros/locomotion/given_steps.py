"""GivenSteps: footsteps that somebody gives, one after the other."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.footstep import Footstep, Side
from controlit_ros.locomotion.sole_turn import STEEPEST
from controlit_ros.locomotion.velocity_steps import StepLimits
from controlit_ros.parameters import (
    Access,
    Kind,
    Parameter,
    ParameterError,
    ParameterReflection,
    Quantity,
)

MOST = 16  # [steps] in one list; who wants more sends more on the way
ROW = 7  # [numbers] of a step: side, x, y, z, yaw, slope along x and y
CLOSEST = 0.6  # [of the distance of feet side by side] nearer, they touch
AS_LONG = 1e-9  # [m] a step that is as long as it may be is not longer


class GivenSteps:
    """Hears lists of steps, sees that they follow each other, and gives them out.

    Args:
        owner: Receives the parameter.

    Attributes:
        refusal: Why the last list was not made to its end; empty: it was, or still is.
    """

    def __init__(self, owner: ParameterReflection) -> None:
        self.given = owner.declare(
            "footsteps",
            np.zeros(MOST * ROW),
            shape=(MOST * ROW,),
            unit="-, m, m, m, rad, -, -",
            quantity=Quantity.FOOTSTEPS,
            description="steps to make, seven numbers each: 1 for the left foot or -1 for the "
            "right one, x, y, z of its contact point in the world, yaw, and how the ground rises "
            "there along x and y; zeros: no more",
        )
        self.given.fits = self._fits
        self.lists = owner.declare(
            "step_lists",
            0,
            kind=Kind.INTEGER,
            access=Access.OUTPUT,
            description="how many lists of footsteps were checked",
        )
        self.refused = owner.declare(
            "steps_refused",
            "",
            access=Access.OUTPUT,
            description="why the list of footsteps that was checked last was refused, and what was "
            "given before goes on; empty: it was not",
        )
        self.begin()

    def begin(self) -> None:
        """Forget what was given before."""
        self._revision = self.given.revision
        self.drop()

    def hear(self, objection: Callable[[Sequence[Footstep]], str]) -> None:
        """Take a new list, all of it or nothing; once a cycle.

        Args:
            objection: Returns why a list cannot be made to its end; empty: it can.
        """
        if self.given.revision == self._revision:
            return
        self._revision = self.given.revision
        steps = footsteps(self.given.value)
        why = objection(steps)
        self.refusal = f"{self.given.full_name}: the list is refused: {why}" if why else ""
        if not why:
            self._ahead = steps
        self.refused.value = self.refusal
        self.lists.value += 1

    @property
    def ahead(self) -> list[Footstep]:
        """The steps that are not made yet."""
        return self._ahead

    def is_next(self, step: Footstep) -> bool:
        """Return whether a step is the next one here."""
        return bool(self._ahead) and self._ahead[0] is step

    def made(self, step: Footstep) -> bool:
        """Take note that a step came down; return whether it was the next one here."""
        is_next = self.is_next(step)
        if is_next:
            del self._ahead[0]
        return is_next

    def drop(self, why: str = "") -> None:
        """Make no more, and say why."""
        self._ahead = []
        self.refusal = why

    def _fits(self, proposed: Mapping[Parameter, Any]) -> None:
        value = proposed.get(self.given)
        if value is None:
            return
        rows = self.given.after(value).reshape(MOST, ROW)
        sides = rows[:, 0]
        count = int(np.count_nonzero(sides))
        if not np.isin(sides, (-1.0, 0.0, 1.0)).all() or sides[count:].any():
            raise ParameterError(
                f"{self.given.full_name}: found the sides {sides.tolist()}, expected 1 (left) and "
                "-1 (right), then zeros only"
            )
        for i in range(1, count):
            if sides[i] == sides[i - 1]:
                raise ParameterError(
                    f"{self.given.full_name}: found the steps {i} and {i + 1} of the same foot, "
                    "expected left and right in turns"
                )
        steepest = np.hypot(*rows[:, 5:].T).max()
        if steepest > STEEPEST:
            raise ParameterError(
                f"{self.given.full_name}: found a slope of {steepest:.3g}, expected at most "
                f"{STEEPEST:g}, on which a sole stands"
            )


def footsteps(numbers: Array) -> list[Footstep]:
    """Return the steps in a list of numbers, up to the first without a side."""
    found = []
    for side, x, y, z, yaw, along_x, along_y in numbers.reshape(-1, ROW).tolist():
        if not side:
            break
        found.append(Footstep(Side(int(side)), np.array([x, y, z]), yaw, (along_x, along_y)))
    return found


def first_too_far(steps: Sequence[Footstep], width: float, limits: StepLimits) -> str:
    """Return why a list cannot be made: a step is too far from the one before; empty: it can."""
    for number, (stance, step) in enumerate(pairwise(steps), 2):
        if why := too_far(step, stance, width, limits):
            return f"step {number}: {why}"
    return ""


def too_far(
    step: Footstep, stance: Footstep, width: float, limits: StepLimits, slack: float = AS_LONG
) -> str:
    """Return why a step cannot be made while a foot stands; empty: it can.

    Args:
        step: The step.
        stance: The foot that stands.
        width: Distance of feet side by side [m].
        limits: Of steps.
        slack: By how much it may pass them: the foot may stand elsewhere than it was to [m].
    """
    ahead, aside = stance.seen(step.position - stance.position).tolist()
    outward = aside * step.side.value
    if abs(ahead) > limits.forward + slack or outward > width + limits.outward + slack:
        return (
            f"found {ahead:.3g} m ahead and {outward:.3g} m outward of the foot that stands, "
            f"expected at most {limits.forward:.3g} m and {width + limits.outward:.3g} m"
        )
    if outward < CLOSEST * width - slack:
        return (
            f"found {outward:.3g} m outward of the foot that stands, expected at least "
            f"{CLOSEST * width:.3g} m, or the feet touch"
        )
    return ""
