"""RunningParts: tasks, constraints and events that come and go while a controller runs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import Lock
from typing import Protocol

from controlit_ros.bindings import Binding, BindingConfig, BindingManager, default_bindings
from controlit_ros.configuration import extended, reduced
from controlit_ros.edited_module import EditedModule, NotReloadableError
from controlit_ros.introspection.answering import by_name, find
from controlit_ros.nodes.controller_stack import BoundParameter, ControllerStack
from controlit_ros.nodes.needed_parts import (
    NeededError,
    check_released,
    check_removable,
    check_unled,
    check_unneeded,
    check_without_mode,
)
from controlit_ros.nodes.process_layout import ProcessLayout
from controlit_ros.nodes.remote_access import goals_of
from controlit_ros.nodes.servo_parts import (
    CONSTRAINTS,
    EVENTS,
    TASKS,
    Begins,
    Entering,
    Leaving,
    Make,
    Part,
    Reloading,
    ServoParts,
)
from controlit_ros.parameters import Mailbox, RemoteAccess
from controlit_ros.servo import Outbox
from controlit_ros.servo.exchange import Change
from controlit_ros.tasks import Task
from controlit_ros.tasks.continuation import heirs

TOPIC = "topic"
"""Transport type of the bindings that every task has by default."""


class LeadingActions(Protocol):
    """Actions that lead the goals of tasks; see `nodes.front.goal_actions.GoalActions`."""

    @property
    def driven(self) -> Task | None:
        """The task that trajectories drive, if there is one."""

    def take_up(self, task: Task) -> None:
        """Lead the goal of a task if somebody asks for it: it has come."""

    def let_go(self, task: Task, why: str) -> None:
        """Lead it no more: it is about to be `removed`, for example."""


class RunningParts:
    """Adds and removes parts of a controller, one change at a time, each made whole or not at all.

    A part is read, built and checked where the front is, then where the servo is; topics and
    parameters come and go with it.

    Args:
        here: The parts on this side.
        layout: Where the servo is.
        mailbox: Takes values to parameters.
        outbox: Brings them out.
        bindings: Ties them to topics.
        access: What may be set over them.
        actions: Lead the goals of tasks.
        lock: Held while a part comes or goes.
    """

    def __init__(
        self,
        here: ServoParts,
        layout: ProcessLayout,
        mailbox: Mailbox,
        outbox: Outbox,
        bindings: BindingManager,
        access: RemoteAccess,
        actions: LeadingActions,
        lock: Lock,
    ) -> None:
        self._here = here
        self._is_apart = layout.is_shared
        self._enter_there = layout.call(here.enter)
        self._leave_there = layout.call(here.leave)
        self._reload_there = layout.call(here.reload)
        self._mailbox = mailbox
        self._outbox = outbox
        self._bindings = bindings
        self._access = access
        self._actions = actions
        self._lock = lock

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
            task = self._task(name)
            self._check_undriven(task, "removed")
            check_unled(self.stack, name, "removed")
            self._remove(TASKS, task)

    def reload_task(self, name: str) -> None:
        """Run the edited code of a task's class, and let the new one go on in its place.

        Parameters, bindings and place stay; the effort has begun to ramp when this returns.

        Raises:
            ControlItError: The old code goes on, unchanged.
        """
        with self._lock:
            task = self._task(name)
            module = _code_of(task)
            self._check_undriven(task, "reloaded")
            check_without_mode(self.stack, name, "reloaded")
            check_unled(self.stack, name, "reloaded")
            with self._here.aside(), module.tried(type(task), Task):
                self._reload(task, module)

    def add_constraint(self, definition: str, state: str) -> str:
        """Add a constraint; return its name once the servo has taken it in.

        Args:
            definition: Its entry as it stands in a configuration file.
            state: `enable` or `disable`.

        Raises:
            ControlItError: It cannot be added; nothing has changed.
        """
        return self._add(CONSTRAINTS, definition, operational_state=state)

    def remove_constraint(self, name: str) -> None:
        """Remove a constraint; what it did has begun to ramp out when this returns.

        Raises:
            ControlItError: There is none, or it is needed; nothing has changed.
        """
        with self._lock:
            known = by_name(self.stack.constraints.constraints)
            constraint = find(name, known, "constraint")
            check_removable(self.stack, constraint)
            self._remove(CONSTRAINTS, constraint)

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

    def _task(self, name: str) -> Task:
        return find(name, by_name(self.stack.tasks.tasks), "task")

    def _check_undriven(self, task: Task, what: str) -> None:
        """Check that no action of joints moves a task.

        Raises:
            NeededError: One does.
        """
        if task is self._actions.driven:
            raise NeededError(f"{task.name!r} cannot be {what}: follow_joint_trajectory moves it")

    def _reload(self, task: Task, module: EditedModule) -> None:
        self._mailbox.check_read()
        stack, bindings = self.stack, self._bindings.of(task.name)
        check_released(task, bindings, "reloaded")
        with ExitStack() as undo:
            made = self._here.rebuild(task)
            undo.callback(self._retire, made)
            hand_over = self._mailbox.prepare_heirs(heirs(made, task))
            stack.directory.exchange(task, made)
            undo.callback(stack.directory.exchange, made, task)
            number = self._admit(made)
            again = self._bind_again(bindings, undo)
            samplers = _begins(bindings)

            def reload(followers: Begins) -> None:
                entering = Entering(TASKS, {}, number, _outputs(again), followers)
                self._reload_there(Reloading(task.name, module, entering, samplers))

            with self._unled(task, "reloaded"):
                self._here.put(task, made, hand_over, samplers, self._maker(reload))
            undo.pop_all()
        for binding in bindings:
            self._bindings.unbind(binding)
        self._retire(task)
        self._actions.take_up(made)

    def _bind_again(self, bindings: Sequence[Binding], undo: ExitStack) -> list[Binding]:
        """Tie the parameters that have the names of others now to the topics of these."""
        types = {bound.config: bound.transport_type for bound in self.stack.bindings}
        again = []
        for former in bindings:
            binding = self._bindings.bind(former.config, types[former.config])
            undo.callback(self._unbind, binding)
            again.append(binding)
        return again

    def _add(self, section: str, definition: str, **part: int | str) -> str:
        with self._lock, self._here.aside(), ExitStack() as undo:
            self._mailbox.check_read()
            stack = self.stack
            extension = extended(stack.configuration, section, definition, part)
            made = self._here.build(extension)
            number = self._enroll(made, undo)
            bound = self._bind(made, undo) if isinstance(made, Task) else ()
            outputs = _outputs(self._bindings.of(made.name))

            def enter(followers: Begins) -> None:
                self._enter_there(Entering(section, extension.entries, number, outputs, followers))

            self._here.take_in(made, self._maker(enter))
            undo.pop_all()
            self._here.stack = replace(
                stack,
                configuration=extension.configuration,
                bindings=(*stack.bindings, *bound),
            )
            if isinstance(made, Task):
                self._actions.take_up(made)
            return made.name

    def _remove(self, section: str, part: Part) -> None:
        with self._here.aside():
            self._take_out(section, part)

    def _take_out(self, section: str, part: Part) -> None:
        self._mailbox.check_read()
        stack, bindings = self.stack, self._bindings.of(part.name)
        check_unneeded(stack, part, bindings)
        samplers = _begins(bindings)

        def leave(followers: Begins) -> None:
            self._leave_there(Leaving(section, part.name, samplers, followers))

        with self._unled(part, "removed"):
            self._here.let_go(part, samplers, self._maker(leave))
        for binding in bindings:
            self._bindings.unbind(binding)
        self._dismiss(part)
        self._here.stack = replace(
            stack,
            configuration=reduced(stack.configuration, section, part.name),
            bindings=tuple(b for b in stack.bindings if _owner(b.config) != part.name),
        )

    def _maker(self, tell: Callable[[Begins], None]) -> Make:
        """Return what has a change made where the servo is.

        Args:
            tell: Has the servo's process, if it is another one, make the same change.
        """

        def make(change: Change, followers: Begins) -> None:
            if not self._is_apart:
                self._here.exchange(change)
                return
            tell(followers)
            change()

        return make

    @contextmanager
    def _unled(self, part: Part, why: str) -> Iterator[None]:
        """Let no action lead the goal of a part any more, unless the block fails."""
        if not isinstance(part, Task):
            yield
            return
        self._actions.let_go(part, why)
        try:
            yield
        except BaseException:
            self._actions.take_up(part)
            raise

    def _enroll(self, part: Part, undo: ExitStack) -> int:
        """Let the parameters of a part be found and set; return the number of the first."""
        undo.callback(self._dismiss, part)
        self.stack.directory.add(part)
        return self._admit(part)

    def _admit(self, part: Part) -> int:
        self._here.know(part)
        if isinstance(part, Task):
            self._access.enroll(goals_of(part))
        return self._mailbox.enroll(part.parameters.values())

    def _dismiss(self, part: Part) -> None:
        self.stack.directory.remove(part)
        self._retire(part)

    def _retire(self, part: Part) -> None:
        self._here.forget(part)
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


def _code_of(task: Task) -> EditedModule:
    """Return the code of a task's class as its file has it now.

    Raises:
        NotReloadableError: It cannot be run again.
    """
    try:
        return EditedModule.of(type(task))
    except NotReloadableError as error:
        raise NotReloadableError(f"{task.name!r} cannot be reloaded: {error}") from None


def _begins(bindings: Sequence[Binding]) -> Begins:
    """Return where the samplers of bindings have their rows."""
    return tuple(begin for _, begin in _outputs(bindings))


def _outputs(bindings: Sequence[Binding]) -> tuple[tuple[BindingConfig, int], ...]:
    """Return what of bindings comes out of the servo, and where it has its rows."""
    return tuple((b.config, b.sampler.begin) for b in bindings if b.sampler is not None)


def _owner(config: BindingConfig) -> str:
    return config.parameter.partition(".")[0]
