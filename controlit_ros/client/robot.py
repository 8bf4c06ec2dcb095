"""Robot: a running controller, as a program sees it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from controlit_ros.client.client_errors import (
    ClientClosedError,
    ClientError,
    ControllerLostError,
    ControllerNotFoundError,
    RefusedError,
    WaitTimeoutError,
)
from controlit_ros.client.description import TaskDescription
from controlit_ros.client.event_report import event_report
from controlit_ros.client.event_stream import EventStream
from controlit_ros.client.explanations import GET_EXPLANATION, explanation_of
from controlit_ros.client.frame_pose import GET_FRAMES, FramePose, frame_poses
from controlit_ros.client.goal_record import GoalRecord
from controlit_ros.client.parameters import Parameters, flow, unknown
from controlit_ros.client.previews import PREVIEW, preview_of
from controlit_ros.client.remote_modes import RemoteModes
from controlit_ros.client.remote_parts import RemoteConstraint, RemoteEvent
from controlit_ros.client.remote_task import ENABLE, RemoteTask
from controlit_ros.client.session import JointState, Session
from controlit_ros.client.step import Step, step_numbers
from controlit_ros.explanations.explanation import Explanation
from controlit_ros.explanations.preview import Preview

DEFAULT_WAIT = 10.0  # [s] for an event; every wait has a bound
ASK_AGAIN = 0.5  # [s] between two questions for an event that does not come
CHANGE_TIME = 60.0  # [s] connecting to a robot, or starting its simulator, takes a while
TAKEN_WITHIN = 1.0  # [s] a cycle of the servo, on a busy machine
HOLD = "hold"
"""Parameter that every event has."""

Entry = str | Mapping[str, Any]
"""An entry of a list in a controller's file: a map, or its YAML text."""

_Part = TypeVar("_Part")


class Robot:
    """Moves, reads and changes a running controller; `connect` makes it.

    A context manager: leaving it lets motions come to rest and ends the connection; the controller
    goes on and keeps its goals. Methods may be called from any thread.

    Args:
        open_session: Finds the controller.
        close: Ends what lies below.
        reconnect: Whether to find it again after it was lost.
    """

    def __init__(
        self, open_session: Callable[[], Session], close: Callable[[], None], *, reconnect: bool
    ) -> None:
        self._open = open_session
        self._close = close
        self._reconnect = reconnect
        self._session = open_session()
        self._is_closed = False
        self.parameters = Parameters(lambda: self.session.link)
        self.modes = RemoteModes(self)

    @property
    def session(self) -> Session:
        """What is known of the controller; found anew after a loss where that was asked for.

        Raises:
            ControllerLostError: It went away, and is not to be found again or does not come back.
            ClientClosedError: The connection was closed.
        """
        if self._is_closed:
            raise ClientClosedError(f"the connection to {self.name} is closed")
        complaint = self._session.link.watch.complaint()
        if self._reconnect and complaint:
            self._session.close()
            try:
                self._session = self._open()
            except (ControllerNotFoundError, WaitTimeoutError) as error:
                raise ControllerLostError(f"{complaint}, and is not back: {error}") from error
        self._session.link.check()
        return self._session

    @property
    def name(self) -> str:
        """Name of the controller."""
        return self._session.link.name

    @property
    def state(self) -> str:
        """`inactive`, `active`, `safe`, `stuck` or `dead`."""
        return self.session.link.watch.state

    @property
    def joints(self) -> JointState:
        """The newest measurement of the joints."""
        return self.session.joints.get()

    def frame(self, name: str, reference: str = "") -> FramePose:
        """Return where a body of the robot is, by the model at the newest measurement.

        Args:
            name: Of a link, or of a joint for what that moves, at the joint.
            reference: Link or joint in whose axes and from whose origin; empty: the world.

        Raises:
            RefusedError: There is no such frame; the text has the nearest.
        """
        return self.frames([name], reference)[name]

    def frames(self, names: Sequence[str] = (), reference: str = "") -> dict[str, FramePose]:
        """Return where several bodies are at one moment, all of them by default; see `frame`."""
        link = self.session.link
        return frame_poses(link.ask(GET_FRAMES, names=list(names), reference=reference))

    @property
    def tasks(self) -> dict[str, RemoteTask]:
        """All tasks there are by name, in the order of the controller's file."""
        self.session.refresh()
        return {name: RemoteTask(name, self) for name in self.session.tasks}

    def task(self, name: str) -> RemoteTask:
        """Return a task.

        Raises:
            UnknownNameError: There is none of that name; the text has the nearest.
        """
        return RemoteTask(self.session.task(name).name, self)

    def add_task(self, entry: Entry, *, priority: int = 0, state: str = ENABLE) -> RemoteTask:
        """Add a task, whose effort ramps in; return it when the servo has taken it in.

        Args:
            entry: As it stands in a controller's file, a map or its YAML text: name, type and
                parameters, `{"name": "Elbow", "type": "CartesianPosition", "body": "elbow"}`.
                Without a goal it holds what is there.
            priority: Level in the compound task; higher wins.
            state: `enable`, `disable` or `sense`.

        Raises:
            RefusedError: It cannot be added, and nothing has changed; the text says why, with line
                and column.
        """
        session = self.session
        answer = session.link.ask(
            "control/addTask", definition=_definition(entry), priority=priority, state=state
        )
        session.learn(str(answer.task))
        return self.task(str(answer.task))

    def remove_task(self, name: str) -> None:
        """Remove a task, whose effort ramps out; returns when the servo has let it go.

        Raises:
            RefusedError: There is none of that name, or an event looks at it.
        """
        session = self.session
        session.link.ask("control/removeTask", task=name)
        session.unlearn(name)

    def add_constraint(self, entry: Entry, state: str = "enable") -> RemoteConstraint:
        """Add a constraint, a contact for example; return it when the servo has taken it in.

        Args:
            entry: As it stands in a controller's file, a map or its YAML text: name, type,
                parameters.
            state: `enable` or `disable`.

        Raises:
            RefusedError: It cannot be added; the text says why, with line and column.
        """
        answer = self.session.link.ask(
            "control/addConstraint", definition=_definition(entry), state=state
        )
        return RemoteConstraint(str(answer.constraint), self)

    def remove_constraint(self, name: str) -> None:
        """Remove a constraint; what it changed of the efforts ramps out.

        Raises:
            RefusedError: There is none, or a task or event needs it.
        """
        self.session.link.ask("control/removeConstraint", constraint=name)

    def reload_task(self, name: str) -> None:
        """Let a task go on with the code that its Python file has now; its effort ramps.

        The controller must run on the machine that has the file. Parameters, goals and topics stay.

        Raises:
            RefusedError: The old code goes on; the text tells why.
        """
        self.session.link.ask("control/reloadTask", task=name)

    def add_event(self, entry: Entry) -> RemoteEvent:
        """Add an event; return it when the servo looks at it.

        Args:
            entry: As it stands in a controller's file, a map or its YAML text: name, expression.

        Raises:
            RefusedError: It cannot be added; the text says why, with line and column.
        """
        answer = self.session.link.ask("control/addEvent", definition=_definition(entry))
        return RemoteEvent(str(answer.event), self)

    def remove_event(self, name: str) -> None:
        """Remove an event.

        Raises:
            RefusedError: There is none of that name.
        """
        self.session.link.ask("control/removeEvent", event=name)

    @property
    def constraints(self) -> dict[str, RemoteConstraint]:
        """All constraints by name."""
        answer = self.session.link.ask("diagnostics/getConstraintParameters")
        return {str(name): RemoteConstraint(str(name), self) for name in answer.constraints}

    def constraint(self, name: str) -> RemoteConstraint:
        """Return a constraint.

        Raises:
            UnknownNameError: There is none of that name; the text has the nearest.
        """
        return _named(self.constraints, name, "constraint", self.name)

    @property
    def controllers(self) -> list[str]:
        """Names of the whole-body controllers that can compute the command."""
        answer = self.session.link.ask("diagnostics/getWholeBodyControllers")
        return [str(name) for name in answer.whole_body_controllers]

    @property
    def controller(self) -> str:
        """Name of the whole-body controller that computes the command; setting it exchanges it."""
        return str(self.session.link.ask("diagnostics/getWholeBodyControllers").active)

    @controller.setter
    def controller(self, name: str) -> None:
        self.session.link.ask("control/setWholeBodyController", whole_body_controller=name)

    @property
    def event_names(self) -> list[str]:
        """Names of the events there are."""
        ends = (name.rpartition(".") for name in self.parameters)
        tasks, found = self.session.tasks, []
        for owner, _, parameter in ends:
            if parameter == HOLD and owner not in tasks:
                found.append(owner)
        return found

    def event(self, name: str) -> RemoteEvent:
        """Return an event.

        Raises:
            UnknownNameError: There is none of that name; the text has the nearest.
        """
        events = {known: RemoteEvent(known, self) for known in self.event_names}
        return _named(events, name, "event", self.name)

    def events(self, timeout: float | None = None) -> EventStream:
        """Return events as they fire from now on; iterate with `for` or `async for`.

        Args:
            timeout: How long to wait for each [s]; `None`: as long as the controller is there.
        """
        return EventStream(self.session.link, timeout)

    def wait_for(self, event: str, timeout: float = DEFAULT_WAIT) -> None:
        """Wait until an event has fired: not at all while its condition holds already.

        Args:
            event: Its name.
            timeout: How long at most [s].

        Raises:
            UnknownNameError: There is no such event; the text has the nearest.
            ClientError: It is disabled.
            WaitTimeoutError: It does not fire in time; the text has its expression and the values
                of its operands.
            ControllerLostError: The controller went away.
        """
        awaited = self.event(event)
        link = self.session.link
        deadline = link.beat.now() + timeout
        fired: list[str] = []

        def has_fired() -> bool:
            fired.extend(found.name for found in stream.taken())
            return event in fired

        with EventStream(link) as stream:
            count = awaited.count
            # what the topic does not tell in time, the count does
            while not (awaited.holds or awaited.count != count):
                if not awaited.enabled:
                    raise ClientError(f"{event} is disabled and will not fire: enable it first")
                left = deadline - link.beat.now()
                if left <= 0.0:
                    report = event_report(link, event)
                    raise WaitTimeoutError(
                        f"{event} did not fire within {timeout:g} s{report and f': {report}'}"
                    )
                link.beat.wait(has_fired, min(left, ASK_AGAIN))
                if has_fired():
                    return

    def wait_until(self, state: str, timeout: float = DEFAULT_WAIT) -> None:
        """Wait until the controller is in a state, `active` for example.

        Raises:
            WaitTimeoutError: It is not in time.
            ControllerLostError: The controller went away.
        """
        link = self.session.link
        link.wait(lambda: link.watch.state == state, timeout, f"the state {state}")

    @property
    def time(self) -> float:
        """The time that waits and motions count in, from any origin [s]."""
        return self._session.link.beat.now()

    def wait(self, condition: Callable[[], bool], timeout: float = DEFAULT_WAIT) -> bool:
        """Wait until a condition of the program's own holds; return whether it does.

        Args:
            condition: Looked at now and then; it may read the robot.
            timeout: How long at most [s].

        Raises:
            ControllerLostError: The controller went away.
            ClientClosedError: The program closed the connection.
        """
        link = self.session.link
        if link.beat.wait(lambda: link.is_over or condition(), timeout):
            link.check()
            return True
        return False

    def sleep(self, duration: float) -> None:
        """Let time pass [s], that of the robot where it is simulated.

        Raises:
            ControllerLostError: The controller went away.
        """
        self.wait(lambda: False, duration)

    def together(self) -> AbstractContextManager[None]:
        """Return a block; motions that are told in it begin when it ends, all at the same time.

            with robot.together():
                motions = [hand.move_to(one, 2.0), posture.move_to(other, 2.0)]
            wait_all(motions)

        Of this thread, and those that start from rest: what takes over in mid-motion begins at
        once. None begins where the block raises.
        """
        return self.session.motions.together()

    def record_goals(self) -> GoalRecord:
        """Return a record of the goals that motions of this program send from now on."""
        return self.session.motions.record()

    def explain(self, task: str = "") -> Explanation:
        """Return what holds the tasks back now, and why.

        Args:
            task: Name of the only one to tell of; empty: all.

        Raises:
            RefusedError: There is no such task, or the servo makes no cycles.
        """
        return explanation_of(self.session.link.ask(GET_EXPLANATION, task=task).explanation)

    def activate(self) -> None:
        """Begin control: the robot holds where it is, and follows goals from then on."""
        self._transition("activate", "active")

    def deactivate(self) -> None:
        """End control in order."""
        self._transition("deactivate", "inactive")

    def set(self, values: Mapping[str, Any]) -> None:
        """Set several parameters, goals, states and priorities in one cycle, all or none.

        Goals are at rest, and end motions of their tasks.

        Args:
            values: By full name, `{"Posture.kp": 100, "Idle.operational_state": "sense"}`.

        Raises:
            RefusedError: One does not fit; nothing has changed.
        """
        session = self.session
        aimed = self._tasks_with_goals(values)
        for task in aimed:
            session.motions.replace(task.name)
        self.parameters.change(_at_rest(values, aimed))

    def make_steps(self, steps: Sequence[Step], behaviour: str = "Walk") -> None:
        """Give a robot that walks footsteps, in the place of those it was given before.

        It makes them one after the other, left and right in turns, and stays where the last one
        puts it; `behaviour.steps_ahead` has how many are left. The whole list is checked before the
        first step; of a robot that walks, the first step itself when it is due.

        Args:
            steps: In their order; none: stop.
            behaviour: Name of what walks, of type `Walking`.

        Raises:
            ClientError: They are too many, or of a foot that there is not.
            RefusedError: They do not follow each other, or one is too far from the one before;
                nothing has changed.
            WaitTimeoutError: It does not take steps, as control is not active.
        """
        name, checked = f"{behaviour}.footsteps", f"{behaviour}.step_lists"
        before = self.parameters[checked]
        numbers = step_numbers(steps, len(self.parameters[name]))
        for _ in range(2):  # a behaviour that begins forgets what it was given just before
            self.set({name: numbers})
            if self.wait(lambda: self.parameters[checked] != before, TAKEN_WITHIN):
                break
        else:
            raise WaitTimeoutError(
                f"{behaviour} did not take the footsteps within {2 * TAKEN_WITHIN:g} s: "
                f"{self.name} is {self.state}"
            )
        if refusal := self.parameters[f"{behaviour}.steps_refused"]:
            raise RefusedError(refusal)

    def preview(self, values: Mapping[str, Any]) -> Preview:
        """Return what `set` would do to the robot where it is now; nothing changes.

        Changes that ramp in or out are told as they end.

        Args:
            values: As `set` takes them; of tasks, constraints and whole-body controllers.

        Raises:
            RefusedError: One does not fit, or what it does cannot be told.
        """
        changes = _at_rest(values, self._tasks_with_goals(values))
        return preview_of(
            self.session.link.ask(
                PREVIEW,
                names=list(changes),
                values=[flow(value) for value in changes.values()],
            )
        )

    def close(self) -> None:
        """Let motions come to rest and end the connection; idempotent."""
        if not self._is_closed:
            self._is_closed = True
            self._session.close()
            self._close()

    def __enter__(self) -> "Robot":  # noqa: PYI034 (typing.Self needs Python 3.11)
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Robot({self.name!r})"

    def _tasks_with_goals(self, values: Mapping[str, Any]) -> list[TaskDescription]:
        """Return the tasks whose goals are among some values."""
        return [task for task in self.session.tasks.values() if task.goal.full_name in values]

    def _transition(self, label: str, state: str) -> None:
        link = self.session.link
        answer = link.ask(
            link.serving("change_state"),
            "lifecycle_msgs/srv/ChangeState",
            timeout=CHANGE_TIME,
            transition={"label": label},
        )
        if not answer.success:
            raise RefusedError(f"{self.name}: {label} failed, the controller is {self.state}")
        self.wait_until(state, CHANGE_TIME)


def _at_rest(values: Mapping[str, Any], aimed: Iterable[TaskDescription]) -> dict[str, Any]:
    """Return values with the velocities and accelerations of the goals among them."""
    result = dict(values)
    for task in aimed:
        for parameter in task.feed_forward:
            result.setdefault(parameter.full_name, parameter.snapshot())
    return result


def _definition(entry: Entry) -> str:
    return entry if isinstance(entry, str) else flow(entry)


def _named(known: Mapping[str, _Part], name: str, what: str, owner: str) -> _Part:
    try:
        return known[name]
    except KeyError:
        raise unknown(owner, what, name, list(known)) from None
