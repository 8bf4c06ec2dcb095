"""RunningParts: tasks and events that come and go while a controller runs."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from threading import Lock

from controlit_ros.bindings import Binding, BindingConfig, BindingManager, default_bindings
from controlit_ros.configuration import extended, reduced
from controlit_ros.errors import ControlItError
from controlit_ros.introspection.answering import by_name, find
from controlit_ros.nodes.building.connections import owners_in
from controlit_ros.nodes.controller_stack import BoundParameter, ControllerStack
from controlit_ros.nodes.process_layout import ProcessLayout
from controlit_ros.nodes.remote_access import goals_of
from controlit_ros.nodes.servo_parts import EVENTS, TASKS, Entering, Leaving, Part, ServoParts
from controlit_ros.parameters import Mailbox, RemoteAccess
from controlit_ros.servo import Outbox
from controlit_ros.servo.exchange import Change
from controlit_ros.servo.real_time import brief_turns
from controlit_ros.tasks import Task

TOPIC = "topic"
"""Transport type of the bindings that every task has by default."""


class NeededError(ControlItError):
    """A part cannot leave, as another refers to it."""


class RunningParts:
    """Adds and removes tasks and events, one change at a time, each made whole or not at all.

    A part is read, built and checked where the front is, then where the servo is; topics and
    parameters come and go with it.

    Args:
        here: The parts on this side.
        layout: Where the servo is.
        mailbox: Takes values to parameters.
        outbox: Brings them out.
        bindings: Ties them to topics.
        access: What may be set over them.
        driven: Returns the task that an action moves, if there is one.
        let_go: Called with a task that is about to leave.
    """

    def __init__(
        self,
        here: ServoParts,
        layout: ProcessLayout,
        mailbox: Mailbox,
        outbox: Outbox,
        bindings: BindingManager,
        access: RemoteAccess,
        driven: Callable[[], Task | None],
        let_go: Callable[[Task], None],
    ) -> None:
        self._here = here
        self._is_apart = layout.is_shared
        self._enter_there = layout.call(here.enter)
        self._leave_there = layout.call(here.leave)
        self._mailbox = mailbox
        self._outbox = outbox
        self._bindings = bindings
        self._access = access
        self._driven = driven
        self._let_go = let_go
        self._lock = Lock()

    @property
    def stack(self) -> ControllerStack:
        """What runs now."""
        return self._here.stack

    def add_task(self, definition: str, priority: int, state: str) -> str:
        """Add a task; return its name once the servo has taken it in.

        Args:
            definition: Its entry as it stands in a configuration file.
            priority: Level in the compound task; higher wins.
            state: `enable`, `disable` or `sense`.

        Raises:
            ControlItError: It cannot be added; nothing has changed.
        """
        return self._add(TASKS, definition, priority=priority, operational_state=state)

    def remove_task(self, name: str) -> None:
        """Remove a task; what it did has begun to ramp out when this returns.

        Raises:
            ControlItError: There is none, or it is needed; nothing has changed.
        """
        with self._lock:
            task = find(name, by_name(self.stack.tasks.tasks), "task")
            if task is self._driven():
                raise NeededError(f"{name!r} cannot be removed: follow_joint_trajectory moves it")
            self._remove(TASKS, task)

    def add_event(self, definition: str) -> str:
        """Add an event; return its name.

        Raises:
            ControlItError: It cannot be added; nothing has changed.
        """
        return self._add(EVENTS, definition)

    def remove_event(self, name: str) -> None:
        """Remove an event.

        Raises:
            ControlItError: There is none, or it is needed; nothing has changed.
        """
        with self._lock:
            self._remove(EVENTS, find(name, by_name(self.stack.events), "event"))

    @brief_turns()
    def _add(self, section: str, definition: str, **part: int | str) -> str:
        with self._lock, ExitStack() as undo:
            self._mailbox.check_read()
            stack = self.stack
            extension = extended(stack.configuration, section, definition, part)
            made = self._here.build(extension)
            number = self._enroll(made, undo)
            bound = self._bind(made, undo) if isinstance(made, Task) else ()
            outputs = tuple(
                (binding.config, binding.sampler.begin)
                for binding in self._bindings.of(made.name)
                if binding.sampler is not None
            )

            def make(change: Change) -> None:
                if not self._is_apart:
                    self._here.exchange(change)
                    return
                entries = extension.entries
                self._enter_there(
                    Entering(section, entries, number, outputs, self._scene_of(section))
                )
                change()

            self._here.take_in(made, make)
            undo.pop_all()
            self._here.stack = replace(
                stack,
                configuration=extension.configuration,
                bindings=(*stack.bindings, *bound),
            )
            return made.name

    @brief_turns()
    def _remove(self, section: str, part: Part) -> None:
        self._mailbox.check_read()
        stack, bindings = self.stack, self._bindings.of(part.name)
        self._check_unneeded(part, bindings)
        if isinstance(part, Task):
            self._let_go(part)
        samplers = tuple(b.sampler.begin for b in bindings if b.sampler is not None)

        def make(change: Change) -> None:
            if not self._is_apart:
                self._here.exchange(change)
                return
            self._leave_there(Leaving(section, part.name, samplers, self._scene_of(section)))
            change()

        self._here.let_go(part, samplers, make)
        for binding in bindings:
            self._bindings.unbind(binding)
        self._dismiss(part)
        self._here.stack = replace(
            stack,
            configuration=reduced(stack.configuration, section, part.name),
            bindings=tuple(b for b in stack.bindings if _owner(b.config) != part.name),
        )

    def _scene_of(self, section: str) -> int | None:
        return self._here.scene.sampler.begin if section == TASKS else None

    def _enroll(self, part: Part, undo: ExitStack) -> int:
        """Let the parameters of a part be found and set; return the number of the first."""
        undo.callback(self._dismiss, part)
        self.stack.directory.add(part)
        if isinstance(part, Task):
            self._access.enroll(goals_of(part))
        return self._mailbox.enroll(part.parameters.values())

    def _dismiss(self, part: Part) -> None:
        self.stack.directory.remove(part)
        self._mailbox.dismiss(part.parameters.values())
        if isinstance(part, Task):
            self._access.dismiss(goals_of(part))

    def _bind(self, task: Task, undo: ExitStack) -> tuple[BoundParameter, ...]:
        """Tie a task to the topics that every task has."""
        if not self.stack.configuration.parameters.default_bindings:
            return ()
        configs = default_bindings((task,), ())
        for config in configs:
            undo.callback(self._unbind, self._bindings.bind(config, TOPIC))
        return tuple(BoundParameter(config, TOPIC) for config in configs)

    def _unbind(self, binding: Binding) -> None:
        if binding.sampler is not None:
            self._outbox.free_samplers((binding.sampler.begin,))
        self._bindings.unbind(binding)

    def _check_unneeded(self, part: Part, bindings: Sequence[Binding]) -> None:
        """Check that nothing else refers to a part.

        Raises:
            NeededError: Something does.
        """
        name = part.name
        for entry in self.stack.configuration.events:
            if entry.name != name and name in owners_in(entry):
                raise NeededError(
                    f"{name!r} cannot be removed: the event {entry.name!r} looks at it; remove "
                    "that first"
                )
        for binding in bindings:
            if binding.close is None:
                raise NeededError(
                    f"{name!r} cannot be removed: what binds {binding.config.topic!r} cannot take "
                    "that back while it runs"
                )


def _owner(config: BindingConfig) -> str:
    return config.parameter.partition(".")[0]
