"""ServoParts: tasks and events that enter and leave, in the process of the servo or its mirror."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, NamedTuple

from controlit_ros.bindings import BindingConfig
from controlit_ros.bindings.parameter_sampler import parameter_sampler
from controlit_ros.configuration import Configuration, Extension, reduced
from controlit_ros.introspection import SceneSource
from controlit_ros.introspection.control_services import NotAppliedError
from controlit_ros.nodes.building.additions import build_added_event, build_added_task
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.rehearsal import Rehearsal
from controlit_ros.parameters import Event, Mailbox, Outcome
from controlit_ros.servo import Coordinator, Outbox
from controlit_ros.servo.exchange import Change
from controlit_ros.servo.real_time import brief_turns, give_way
from controlit_ros.tasks import Task, TaskSet

PATIENCE = 1.0  # [s] many cycles of any servo, and less than callers wait

TASKS, EVENTS = "tasks", "events"
Part = Task | Event
Make = Callable[[Change], None]
"""Has a change made, or raises and leaves all as it was."""


class Entering(NamedTuple):
    """What the servo's process must know of a part that enters.

    Attributes:
        section: Where its entry is in a configuration.
        entries: That entry, and that of how it takes part, by section.
        number: That its first parameter has in the mailbox.
        outputs: How its parameters are bound, and where the samplers have their rows.
        scene: Where the scene that has it too has its rows; `None`: it is not drawn.
    """

    section: str
    entries: Mapping[str, Any]
    number: int
    outputs: tuple[tuple[BindingConfig, int], ...]
    scene: int | None


class Leaving(NamedTuple):
    """What the servo's process must know of a part that leaves.

    Attributes:
        section: Where its entry is in a configuration.
        name: Of the part.
        samplers: Where the samplers of its outputs have their rows.
        scene: Where the scene without it has its rows; `None`: it was not drawn.
    """

    section: str
    name: str
    samplers: tuple[int, ...]
    scene: int | None


class ServoParts:
    """Changes which tasks and events there are, on one side of a servo.

    Where the servo is, a part is built and tried off its thread, which takes it in or lets it go
    between two cycles. In a front of its own the same is done to the mirror.

    Args:
        stack: What runs at the start.
        coordinator: The servo, or its mirror.
        mailbox: Takes values to parameters.
        outbox: Brings them out.
        scene: Shows the tasks.

    Attributes:
        stack: What runs now.
    """

    def __init__(
        self,
        stack: ControllerStack,
        coordinator: Coordinator,
        mailbox: Mailbox,
        outbox: Outbox,
        scene: SceneSource,
    ) -> None:
        self.stack = stack
        self.scene = scene
        self._coordinator = coordinator
        self._mailbox = mailbox
        self._outbox = outbox
        self._rehearsal = Rehearsal(stack.robot, coordinator.robot_state)

    def build(self, extension: Extension) -> Part:
        """Return a part, built, checked and tried beside those that run.

        Raises:
            ControlItError: It cannot be used.
        """
        if extension.section == EVENTS:
            return build_added_event(extension, self.stack)
        task = build_added_task(extension, self.stack)
        self._rehearsal.play(task)
        return task

    def take_in(self, part: Part, make: Make, begin: int | None = None) -> None:
        """Let a part that was built enter.

        Args:
            part: Not yet there.
            make: Has the change made.
            begin: Where the scene with it has its rows, as `Outbox.add_sampler` takes it.

        Raises:
            ControlItError: The change was not made.
        """
        if isinstance(part, Event):
            events = (*self.stack.events, part)
            make(lambda: self.stack.events.replace(events))
        else:
            self._change_tasks(self.stack.tasks.task_set.with_task(part), make, begin)

    def let_go(
        self, part: Part, samplers: Iterable[int], make: Make, begin: int | None = None
    ) -> None:
        """Let a part leave.

        Args:
            part: One of those there are.
            samplers: Of its outputs.
            make: Has the change made.
            begin: Where the scene without it has its rows, as `Outbox.add_sampler` takes it.

        Raises:
            ControlItError: The change was not made.
        """
        if isinstance(part, Event):
            events = [event for event in self.stack.events if event is not part]
            make(lambda: self.stack.events.replace(events))
        else:
            tasks = self.stack.tasks.task_set.without(part)
            self._change_tasks(tasks, make, begin, tuple(samplers))

    def exchange(self, change: Change) -> None:
        """Have the servo thread make a change, between two cycles.

        Raises:
            NotAppliedError: It did not, and will not do so later.
        """
        if self._coordinator.exchange.offer(change).settle(PATIENCE) is not Outcome.APPLIED:
            raise NotAppliedError(
                f"the servo took no changes within {PATIENCE:g} s and this one was taken back: "
                "is it configured?"
            )

    @brief_turns()
    def enter(self, entering: Entering) -> None:
        """Build a part once more and let it enter; servo's process.

        Raises:
            ControlItError: It was not taken in.
        """
        configuration = with_entries(self.stack.configuration, entering.entries)
        part = self.build(Extension.of(configuration, entering.section))
        give_way()
        with ExitStack() as undo:
            self._mailbox.enroll(part.parameters.values(), entering.number)
            undo.callback(self._mailbox.dismiss, part.parameters.values())
            for config, begin in entering.outputs:
                parameter = part.parameter(config.parameter.rpartition(".")[2])
                wanted = None if config.latched else _unknown_here
                sampler = parameter_sampler(config, parameter, _deliver_elsewhere, wanted)
                self._outbox.add_sampler(sampler, begin)
                undo.callback(self._outbox.free_samplers, (begin,))
                give_way()
            self.stack.directory.add(part)
            undo.callback(self.stack.directory.remove, part)
            self.take_in(part, self.exchange, entering.scene)
            undo.pop_all()
        self.stack = replace(self.stack, configuration=configuration)

    @brief_turns()
    def leave(self, leaving: Leaving) -> None:
        """Let a part leave; servo's process.

        Raises:
            ControlItError: It is still there.
        """
        parts: Iterable[Part] = (*self.stack.tasks.tasks, *self.stack.events)
        part = next(part for part in parts if part.name == leaving.name)
        self.let_go(part, leaving.samplers, self.exchange, leaving.scene)
        self._mailbox.dismiss(part.parameters.values())
        self.stack.directory.remove(part)
        configuration = reduced(self.stack.configuration, leaving.section, leaving.name)
        self.stack = replace(self.stack, configuration=configuration)

    def _change_tasks(
        self, tasks: TaskSet, make: Make, begin: int | None, samplers: tuple[int, ...] = ()
    ) -> None:
        """Change to other tasks and show these; without those samplers, and that of before."""
        outbox, before = self._outbox, self.scene.sampler
        change = self._coordinator.prepared(tasks)
        after = self.scene.follow(tuple(tasks.tasks), begin)
        give_way()

        def exchange() -> None:
            change()
            outbox.drop_samplers((before.begin, *samplers))

        try:
            make(exchange)
        except BaseException:
            outbox.free_samplers((after.begin,))
            self.scene.sampler = before
            raise
        outbox.free_samplers((before.begin, *samplers))


def with_entries(configuration: Configuration, entries: Mapping[str, Any]) -> Configuration:
    """Return a configuration with entries more, each the last of its section."""
    more = {key: (*getattr(configuration, key), entry) for key, entry in entries.items()}
    return configuration.model_copy(update=more)


def _deliver_elsewhere(_stamp: float, _values: Any) -> None:
    """Do nothing: the front delivers what its own sampler finds."""


def _unknown_here() -> bool:
    """Return nothing of worth: the front asks who listens."""
    return False
