"""ServoParts: parts that enter and leave, in the process of the servo or its mirror."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import repeat
from typing import Any, NamedTuple

from controlit_ros.bindings import BindingConfig
from controlit_ros.bindings.parameter_sampler import parameter_sampler
from controlit_ros.configuration import Configuration, Extension, reduced
from controlit_ros.constraints import Constraint
from controlit_ros.edited_module import EditedModule
from controlit_ros.nodes.building.additions import (
    build_added_constraint,
    build_added_event,
    build_added_task,
    build_reloaded_task,
)
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.rehearsal import Rehearsal
from controlit_ros.parameters import Event, Mailbox, check_applied
from controlit_ros.servo import Coordinator, Outbox, Sampler
from controlit_ros.servo.exchange import Change
from controlit_ros.servo.members import Follower, Members
from controlit_ros.servo.real_time import brief_turns
from controlit_ros.tasks import Task, TaskSet
from controlit_ros.tasks.continuation import continue_from, heirs

TASKS, CONSTRAINTS, EVENTS = "tasks", "constraints", "events"
Part = Task | Constraint | Event


def _nothing() -> None:
    pass


Begins = tuple[int, ...]
"""Where samplers have their rows, by which both processes name them."""
Make = Callable[[Change, Begins], None]
"""Has a change made, told the samplers that followers get; or raises and leaves all as it was.

What a change that failed half-way has done by then it does not undo.
"""


class Entering(NamedTuple):
    """What the servo's process must know of a part that enters.

    Attributes:
        section: Where its entry is in a configuration.
        entries: That entry, and that of how it takes part, by section.
        number: That its first parameter has in the mailbox.
        outputs: How its parameters are bound, and where the samplers have their rows.
        followers: Where the new samplers of the followers have theirs; none if they need none.
    """

    section: str
    entries: Mapping[str, Any]
    number: int
    outputs: tuple[tuple[BindingConfig, int], ...]
    followers: Begins


class Leaving(NamedTuple):
    """What the servo's process must know of a part that leaves.

    Attributes:
        section: Where its entry is in a configuration.
        name: Of the part.
        samplers: Where the samplers of its outputs have their rows.
        followers: As in `Entering`.
    """

    section: str
    name: str
    samplers: Begins
    followers: Begins


class Reloading(NamedTuple):
    """What the servo's process must know of a task whose code is new.

    Attributes:
        name: Of the task.
        module: The new code.
        entering: As of a task that enters.
        samplers: Where the samplers of its outputs had their rows.
    """

    name: str
    module: EditedModule
    entering: Entering
    samplers: Begins


class ServoParts:
    """Changes which parts there are, on one side of a servo.

    Where the servo is, a part is built and tried off its thread, which takes it in or lets it go
    between two cycles. In a front of its own the same is done to the mirror.

    Args:
        stack: What runs at the start.
        coordinator: The servo, or its mirror.
        mailbox: Takes values to parameters.
        outbox: Brings them out.
        followers: Bring numbers of the tasks out of the servo.

    Attributes:
        stack: What runs now.
    """

    def __init__(
        self,
        stack: ControllerStack,
        coordinator: Coordinator,
        mailbox: Mailbox,
        outbox: Outbox,
        followers: Sequence[Follower],
    ) -> None:
        self.stack = stack
        self._followers = tuple(followers)
        self._coordinator = coordinator
        self._mailbox = mailbox
        self._outbox = outbox
        self._rehearsal = Rehearsal(stack.robot, coordinator.robot_state)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Do the work of the block while the servo rests, if it runs in this process."""
        with self._coordinator.spare_time.only(), brief_turns():
            yield

    def know(self, part: Part) -> None:
        """Let modes judge who may command a part that comes."""
        modes = self.stack.modes
        if modes is not None and not isinstance(part, Event):
            modes.newcomers.enroll(part)

    def forget(self, part: Part) -> None:
        """Let them forget one that has left, or did not come."""
        modes = self.stack.modes
        if modes is not None and not isinstance(part, Event):
            modes.newcomers.dismiss(part)

    def build(self, extension: Extension) -> Part:
        """Return a part, built, checked and tried beside those that run.

        Raises:
            ControlItError: It cannot be used.
        """
        if extension.section == EVENTS:
            return build_added_event(extension, self.stack)
        if extension.section == CONSTRAINTS:
            constraint = build_added_constraint(extension, self.stack)
            self._rehearsal.try_rows(constraint)
            return constraint
        task = build_added_task(extension, self.stack)
        self._rehearsal.play(task)
        return task

    def rebuild(self, task: Task) -> Task:
        """Return a task built anew from its entry, checked and tried, to take its place.

        Raises:
            ControlItError: It cannot be used.
        """
        made = build_reloaded_task(task, self.stack)
        continue_from(made, task)
        self._rehearsal.play(made, must_be_finite=True)
        return made

    def put(
        self,
        task: Task,
        other: Task,
        hand_over: Change,
        samplers: Begins,
        make: Make,
        begins: Begins = (),
    ) -> None:
        """Put a task that was rebuilt in the place of the one there is.

        Args:
            task: The one there is.
            other: The one to come; the directory has its parameters.
            hand_over: Of the mailbox, for the parameters of both.
            samplers: Of the outputs of the one there is.
            make: Has the change made.
            begins: As `take_in` takes them.

        Raises:
            ControlItError: The change was not made.
        """
        stack = self.stack
        tasks = stack.tasks.task_set.exchanged(task, other)  # moves what events refer to
        looking = [event for event in stack.events if event.looks_at(task.name)]
        renewals = [event.renewed(stack.directory) for event in looking]

        def go_on() -> None:
            continue_from(other, task)
            hand_over()
            self._coordinator.catch_up(other)
            for renew in renewals:
                renew()

        self._change_tasks(tasks, make, begins, samplers, go_on)

    def take_in(self, part: Part, make: Make, begins: Begins = ()) -> None:
        """Let a part that was built enter.

        Args:
            part: Not yet there.
            make: Has the change made.
            begins: Of the new samplers of the followers; none: they are placed now.

        Raises:
            ControlItError: The change was not made.
        """
        if isinstance(part, Event):
            events = (*self.stack.events, part)
            make(lambda: self.stack.events.replace(events), ())
        elif isinstance(part, Constraint):
            constraints = (*self.stack.constraints.constraints, part)
            self._change_constraints(constraints, make, begins)
        else:
            self._change_tasks(self.stack.tasks.task_set.with_task(part), make, begins)

    def let_go(self, part: Part, samplers: Begins, make: Make, begins: Begins = ()) -> None:
        """Let a part leave.

        Args:
            part: One of those there are.
            samplers: Of its outputs.
            make: Has the change made.
            begins: As `take_in` takes them.

        Raises:
            ControlItError: The change was not made.
        """
        if isinstance(part, Event):
            events = [event for event in self.stack.events if event is not part]
            make(lambda: self.stack.events.replace(events), ())
        elif isinstance(part, Constraint):
            constraints = tuple(c for c in self.stack.constraints.constraints if c is not part)
            self._change_constraints(constraints, make, begins, samplers)
        else:
            tasks = self.stack.tasks.task_set.without(part)
            self._change_tasks(tasks, make, begins, samplers)

    def exchange(self, change: Change, _begins: Begins = ()) -> None:
        """Have the servo thread make a change, between two cycles.

        Raises:
            NotAppliedError: It did not, and will not do so later.
        """
        check_applied(self._coordinator.exchange.offer(change))

    def enter(self, entering: Entering) -> None:
        """Build a part once more and let it enter; servo's process.

        Raises:
            ControlItError: It was not taken in.
        """
        with self.aside():
            self._enter(entering)

    def _enter(self, entering: Entering) -> None:
        configuration = with_entries(self.stack.configuration, entering.entries)
        part = self.build(Extension.of(configuration, entering.section))
        with ExitStack() as undo:
            self._join(part, entering, undo)
            self.stack.directory.add(part)
            undo.callback(self.stack.directory.remove, part)
            self.take_in(part, self.exchange, entering.followers)
            undo.pop_all()
        self.stack = replace(self.stack, configuration=configuration)

    def reload(self, reloading: Reloading) -> None:
        """Build a task of new code once more and put it in its place; servo's process.

        Raises:
            ControlItError: The task is as it was.
        """
        with self.aside():
            self._reload(reloading)

    def _reload(self, reloading: Reloading) -> None:
        task = next(task for task in self.stack.tasks.tasks if task.name == reloading.name)
        entering, directory = reloading.entering, self.stack.directory
        with reloading.module.tried(type(task), Task), ExitStack() as undo:
            made = self.rebuild(task)
            self._join(made, entering, undo)
            hand_over = self._mailbox.prepare_heirs(heirs(made, task))
            directory.exchange(task, made)
            undo.callback(directory.exchange, made, task)
            self.put(task, made, hand_over, reloading.samplers, self.exchange, entering.followers)
            undo.pop_all()
        self.forget(task)

    def _join(self, part: Part, entering: Entering, undo: ExitStack) -> None:
        """Let the parameters of a part be set, and its outputs be sampled."""
        self.know(part)
        undo.callback(self.forget, part)
        self._mailbox.enroll(part.parameters.values(), entering.number)
        undo.callback(self._mailbox.dismiss, part.parameters.values())
        for config, begin in entering.outputs:
            parameter = part.parameter(config.parameter.rpartition(".")[2])
            wanted = None if config.latched else _unknown_here
            sampler = parameter_sampler(config, parameter, _deliver_elsewhere, wanted)
            self._outbox.add_sampler(sampler, begin)
            undo.callback(self._outbox.free_samplers, (begin,))

    def leave(self, leaving: Leaving) -> None:
        """Let a part leave; servo's process.

        Raises:
            ControlItError: It is still there.
        """
        with self.aside():
            self._leave(leaving)

    def _leave(self, leaving: Leaving) -> None:
        parts: Iterable[Part] = (*self.stack.members.parts, *self.stack.events)
        part = next(part for part in parts if part.name == leaving.name)
        self.let_go(part, leaving.samplers, self.exchange, leaving.followers)
        self._mailbox.dismiss(part.parameters.values())
        self.forget(part)
        self.stack.directory.remove(part)
        configuration = reduced(self.stack.configuration, leaving.section, leaving.name)
        self.stack = replace(self.stack, configuration=configuration)

    def _change_tasks(
        self,
        tasks: TaskSet,
        make: Make,
        begins: Begins,
        samplers: Begins = (),
        before: Change = _nothing,
    ) -> None:
        """Change to other tasks and show these; without those samplers, and those of before.

        Args:
            tasks: Those to come.
            make: Has the change made.
            begins: As `take_in` takes them.
            samplers: To be dropped with the change.
            before: Done first, in the same change.
        """
        change = self._coordinator.prepared(tasks)
        members = self.stack.members._replace(tasks=tuple(tasks.tasks))

        def both() -> None:
            before()
            change()

        self._change(members, both, make, begins, samplers)

    def _change_constraints(
        self,
        constraints: tuple[Constraint, ...],
        make: Make,
        begins: Begins,
        samplers: Begins = (),
    ) -> None:
        change = self._coordinator.prepared_constraints(constraints)
        members = self.stack.members._replace(constraints=constraints)
        self._change(members, change, make, begins, samplers)

    def _change(
        self, members: Members, change: Change, make: Make, begins: Begins, samplers: Begins
    ) -> None:
        """Have a change made, and show the members of after; without those samplers."""
        leaving = (*(follower.sampler.begin for follower in self._followers), *samplers)
        with self._followed(members, begins) as following:

            def exchange() -> None:
                change()
                self._outbox.drop_samplers(leaving)

            make(exchange, tuple(sampler.begin for sampler in following))
        self._outbox.free_samplers(leaving)

    @contextmanager
    def _followed(self, members: Members, begins: Begins) -> Iterator[list[Sampler]]:
        """Prepare followers for other members, which they take over if the block comes to its end.

        Yields:
            Their new samplers.
        """
        samplers: list[Sampler] = []
        try:
            places = begins or repeat(None, len(self._followers))
            for follower, begin in zip(self._followers, places, strict=True):
                samplers.append(follower.follow(members, begin))
            yield samplers
        except BaseException:
            self._outbox.free_samplers([sampler.begin for sampler in samplers])
            raise
        for follower, sampler in zip(self._followers, samplers, strict=True):
            follower.sampler = sampler


def with_entries(configuration: Configuration, entries: Mapping[str, Any]) -> Configuration:
    """Return a configuration with entries more, each the last of its section."""
    more = {key: (*getattr(configuration, key), entry) for key, entry in entries.items()}
    return configuration.model_copy(update=more)


def _deliver_elsewhere(_stamp: float, _values: Any) -> None:
    """Do nothing: the front delivers what its own sampler finds."""


def _unknown_here() -> bool:
    """Return nothing of worth: the front asks who listens."""
    return False
