"""TaskPairs: which tasks stand above which by a part."""

from collections.abc import Iterable, Mapping
from typing import Any

from controlit_ros.errors import did_you_mean
from controlit_ros.parameters import Parameter, ParameterError
from controlit_ros.tasks import Task

Pairs = Mapping[tuple[Task, Task], float]


class TaskPairs:
    """Pairs of tasks by name, and how much the first of each stands above the second.

    Args:
        names: Of the tasks, two by two.
        values: `(pairs,)` between 0 and 1; may change while the servo runs.
    """

    def __init__(self, names: Parameter, values: Parameter) -> None:
        self._names, self._values = names, values
        self._tasks: tuple[tuple[Task, Task], ...] = ()
        self._known: Pairs = {}
        self._revision = -1

    def configure(self, tasks: Iterable[Task], *, is_known: bool) -> None:
        """Resolve the names.

        Args:
            tasks: There are.
            is_known: Whether the prioritisation knows pairs.

        Raises:
            ParameterError: There is no such task, a task stands alone or beside itself, values are
                missing, or nobody looks at pairs.
        """
        names = self._names.value
        if names and not is_known:
            raise ParameterError(
                f"{self._names.full_name}: found {list(names)}, expected none, or "
                "prioritisation_type: Generalised"
            )
        if len(names) % 2:
            raise ParameterError(
                f"{self._names.full_name}: found {len(names)} names, expected two for each pair"
            )
        by_name = {task.name: task for task in tasks}
        for name in names:
            if name not in by_name:
                raise ParameterError(
                    f"{self._names.full_name}: unknown task {name!r}{did_you_mean(name, by_name)}"
                )
        found = [by_name[name] for name in names]
        self._tasks = tuple(zip(found[::2], found[1::2], strict=True))
        for first, second in self._tasks:
            if first is second:
                raise ParameterError(
                    f"{self._names.full_name}: found {first.name!r} twice in a pair, expected two "
                    "tasks"
                )
        self._values.fits = self._check
        self._check({})

    def _check(self, proposed: Mapping[Parameter, Any]) -> None:
        values = self._values.after(proposed.get(self._values))
        if len(values) != len(self._tasks):
            raise ParameterError(
                f"{self._values.full_name}: found {len(values)} numbers, expected "
                f"{len(self._tasks)}, one for each pair of {self._names.full_name}"
            )

    def values(self) -> Pairs:
        """Return how much the first task of each pair stands above the second; servo thread."""
        if self._revision != self._values.revision:
            self._revision = self._values.revision
            self._known = dict(zip(self._tasks, self._values.value, strict=True))
        return self._known
