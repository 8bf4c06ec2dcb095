"""LevelRanks: how much each level of tasks stands above each other."""

from collections.abc import Mapping

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.task import Task

Group = tuple[Task, ...]


class LevelRanks:
    """Priorities α between 0 and 1 that follow the order of levels, and stated pairs, in steps.

    `α_ij` tells how much level j stands above level i: 1 strictly, 0 not at all. A level is known
    by its tasks, whatever its number: where the same levels stand in another order their α go there
    by no more than a step a cycle. A level of other tasks is a new one and stands where it belongs
    at once; the servo ramps such a change like any other.
    """

    def __init__(self) -> None:
        self._levels: tuple[Group, ...] = ()
        self._alpha: Array = np.zeros((0, 0))

    def forget(self) -> None:
        """Let everything stand where it belongs at once."""
        self._levels = ()

    def advance(
        self, tasks: CompoundTask, pairs: Mapping[tuple[Task, Task], float], step: float
    ) -> None:
        """Go on by a cycle; see `Prioritisation.advance`."""
        target = _target(tasks.level_tasks, pairs)
        if tasks.level_tasks is not self._levels:
            self._take_over(tasks.level_tasks, target)
        self._alpha += np.clip(target - self._alpha, -step, step)

    def of(self, tasks: CompoundTask) -> Array:
        """Return α of the levels, `(levels, levels)`; of those not followed, where they belong."""
        if tasks.level_tasks is self._levels:
            return self._alpha
        return _target(tasks.level_tasks, {})

    def _take_over(self, levels: tuple[Group, ...], target: Array) -> None:
        """Keep the α of levels that were there; the others begin where they belong."""
        before = {frozenset(map(id, group)): i for i, group in enumerate(self._levels)}
        known = [before.get(frozenset(map(id, group)), -1) for group in levels]
        alpha = target.copy()
        for i, was in enumerate(known):
            for j, other in enumerate(known):
                if was >= 0 and other >= 0:
                    alpha[i, j] = self._alpha[was, other]
        self._levels, self._alpha = levels, alpha


def _target(levels: tuple[Group, ...], pairs: Mapping[tuple[Task, Task], float]) -> Array:
    """Return where α belong: 1 for what is above, or what a pair of tasks says of their levels."""
    alpha: Array = np.tril(np.ones((len(levels), len(levels))), -1)
    place = {id(task): i for i, group in enumerate(levels) for task in group}
    for (first, second), above in pairs.items():
        i, j = place.get(id(first)), place.get(id(second))
        if i is not None and j is not None and i != j:
            alpha[j, i], alpha[i, j] = above, 1.0 - above
    return alpha
