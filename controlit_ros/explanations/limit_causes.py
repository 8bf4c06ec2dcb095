"""Which limits of a quadratic program hold tasks back, and which exclude each other."""

from collections.abc import Iterable, Iterator

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.named_bound import BoundKind, NamedBound
from controlit_ros.controllers.whole_body_qp import Solution, WholeBodyQP
from controlit_ros.explanations.conflict import excluding, limits_of
from controlit_ros.explanations.explanation import Cause, CauseKind
from controlit_ros.explanations.trials import Trials, is_force
from controlit_ros.tasks import CompoundTask, Task

PART = 0.05  # [-] of what is missing of a task must be there without a limit
ROUNDS = 6  # [#] of limits that turn up behind others
NEGLIGIBLE = 1e-9  # [-] of the largest multiplier


class LimitCauses:
    """Looks at the problem that a `WholeBodyQP` has just solved, or could not.

    Args:
        trials: The situation.
        controller: Has just computed the command of `stack`.
        stack: All tasks.
        acceleration: `(nv,)` under its effort.
    """

    def __init__(
        self, trials: Trials, controller: WholeBodyQP, stack: CompoundTask, acceleration: Array
    ) -> None:
        self._trials = trials
        self._stack = stack
        self._controller = controller
        self._multipliers = controller.prioritisation.multipliers.copy()
        self._names = controller.named_bounds()
        self._left_out = controller.missing_contact_force.value > 0.0
        self._missed = controller.missed
        self._tasks = [task for task in trials.enabled if not is_force(task)]
        self._missing = self._shortfalls(acceleration)

    def causes(self) -> tuple[Cause, ...]:
        """Return the active limits, each with the tasks that it holds back."""
        return tuple(self._active())

    def _active(self) -> Iterator[Cause]:
        sums = self._active_of(self._multipliers)
        held = {name: self._held({name}) for name in sums}
        for group in (*self._of_one_kind(sums), set(sums)):  # two feet hold back together
            free = self._behind(group) - set().union(*held.values())
            for name in group:
                held[name] |= free
        for name, value in sums.items():
            if held[name]:
                text = f"the {name.text} is active, multiplier {value:.3g}"
                tasks = tuple(task.name for task in self._tasks if task.name in held[name])
                yield Cause(CauseKind.LIMIT, name.owner, text, value, "", tasks)

    def _active_of(self, multipliers: Array) -> dict[NamedBound, float]:
        """Return the active limits of a solution and the sum of their multipliers' sizes."""
        floor = NEGLIGIBLE * max(np.abs(multipliers).max(initial=0.0), NEGLIGIBLE)
        sums: dict[NamedBound, float] = {}
        for value, (below, above) in zip(multipliers.tolist(), self._names, strict=True):
            if abs(value) > floor:
                name = above if value > 0.0 else below
                sums[name] = sums.get(name, 0.0) + abs(value)
        return sums

    @staticmethod
    def _of_one_kind(names: Iterable[NamedBound]) -> list[set[NamedBound]]:
        groups: dict[BoundKind, set[NamedBound]] = {}
        for name in names:
            groups.setdefault(name.kind, set()).add(name)
        return list(groups.values())

    def _held(self, names: set[NamedBound]) -> set[str]:
        """Return the tasks that some limits hold back: without them less is missing."""
        solution = self._solved_without(names)
        return set() if solution is None else self._freed(solution)

    def _behind(self, names: set[NamedBound]) -> set[str]:
        """Return the tasks that some limits hold back, with those that stand right behind them."""
        given_up = set(names)
        for _ in range(ROUNDS):
            solution = self._solved_without(given_up)
            if solution is None:
                return set()
            if freed := self._freed(solution):
                return freed
            given_up |= set(self._active_of(solution.multipliers))
        return set()

    def _freed(self, solution: Solution) -> set[str]:
        """Return the tasks of which a solution leaves less missing."""
        left = self._shortfalls(self._trials.acceleration(self._stack, solution.effort))
        return {
            task for task, before in self._missing.items() if before - left[task] > PART * before
        }

    def _solved_without(self, names: set[NamedBound]) -> Solution | None:
        left_out = np.array(
            [[name in names or self._is_missed(name) for name in pair] for pair in self._names]
        )
        model = self._trials.situation.model
        return self._controller.solve_without(model, self._stack, left_out)

    def _is_missed(self, name: NamedBound) -> bool:
        """Tell whether a limit is one of those that cannot be kept together."""
        if name.kind is BoundKind.INEQUALITY:
            return name.owner in self._missed
        return self._left_out and name.kind.is_of_contact

    def _shortfalls(self, acceleration: Array) -> dict[str, float]:
        trials, stack = self._trials, self._stack
        return {
            task.name: float(np.linalg.norm(trials.missing(stack, task, acceleration)))
            for task in self._tasks
        }


def weak_causes(controller: WholeBodyQP) -> tuple[Cause, ...]:
    """Tell which inequalities ask for too little, as drives give no more.

    Args:
        controller: It has just computed a command.
    """
    return tuple(
        Cause(
            CauseKind.LIMIT,
            each.name,
            f"the inequality {each.name!r} will not be kept: {each.shortfall:.3g} {each.unit} more "
            "than there is would be needed now",
            each.shortfall,
            each.unit,
        )
        for each in controller.weak
    )


def conflict(controller: WholeBodyQP) -> tuple[Cause, ...]:
    """Return a smallest set of limits of the last problem that exclude each other; none: they fit.

    Args:
        controller: It has just written a problem.
    """
    found = excluding(limits_of(controller.prioritisation.bounds, controller.named_bounds()))
    return tuple(
        Cause(
            CauseKind.CONFLICT,
            bound.owner,
            f"the {bound.text}: {missing:.3g} {bound.unit} are missing if all others are kept",
            missing,
            bound.unit,
        )
        for bound, missing in found
    )


def bound_task(task: Task, causes: tuple[Cause, ...]) -> list[Cause]:
    """Return the causes that hold a task back."""
    return [cause for cause in causes if task.name in cause.tasks]
