"""The mode machine against a referee that knows nothing but the list of transitions."""

import random

import pytest
from mode_graphs import drawn

from controlit_ros.modes import ModeGraph, ModeMachine, ModeOutcome, ModeTransition
from controlit_ros.modes.mode_graph import UnknownModeError
from controlit_ros.parameters import Expression, ParameterDirectory, ParameterReflection

PERIOD = 0.001  # [s]
REQUESTS = 100_000


class Referee:
    """Follows a machine and finds what no transition of the graph allows, from the list alone."""

    def __init__(self, graph, door):
        self.ways = [way for way in graph.transitions if not way.through]
        self.door = door
        self.since = 0.0
        self.held = {}

    def look(self, now):
        """Note since when each guard has held without a break."""
        values = {"door.open": self.door.open.value, "not door.open": not self.door.open.value}
        values["door.alarm"] = self.door.alarm.value
        for text, holds in values.items():
            if holds:
                self.held.setdefault(text, now)
            else:
                self.held.pop(text, None)

    def is_open(self, way, now):
        if way.guard is not None and way.guard.text not in self.held:
            return False
        # a machine that looks only from its own mode on may ask for more than this
        has_held = way.guard is None or now - self.held[way.guard.text] >= way.hold
        return has_held and now - self.since >= way.after - 1e-12

    def allows(self, source, target, now):
        return source == target or any(
            w.source == source and w.target == target and self.is_open(w, now) for w in self.ways
        )


def play(seed, requests, asking=1.0):
    """Ask at random; return how many modes were entered and how many requests were refused.

    With a share of cycles in which somebody asks, requests wait in the others.
    """
    graph, door = drawn(seed)
    machine, referee, draw = ModeMachine(graph), Referee(graph, door), random.Random(seed)
    now, entering, refused, entered = 0.0, None, 0, 0
    for ticket in range(1, requests + 1):
        now += PERIOD
        door.open.value = draw.random() < 0.6 if draw.random() < 0.05 else door.open.value
        door.alarm.value = draw.random() < 0.002
        referee.look(now)
        if entering is None:
            if asking == 1.0 or draw.random() < asking:
                machine.ask(draw.choice([*graph.names, "nobody"]), ticket, now)
            entering = machine.step(now)
            if entering is not None:
                assert referee.allows(machine.entered, entering, now)
        if entering is not None and draw.random() < 0.7:
            machine.enter(entering, now)
            assert machine.entered == entering
            entering, entered = None, entered + 1
        elif entering is None and not machine.is_settled and draw.random() < 0.5:
            machine.confirm(now)
            assert machine.confirmed == machine.entered
            referee.since = now
        refused += machine.report.outcome is ModeOutcome.REFUSED
    return entered, refused


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(10))
def test_no_forbidden_transition_in_a_hundred_thousand_requests(seed):
    entered, refused = play(seed, REQUESTS // 10)
    assert entered > 100
    assert refused > 100


@pytest.mark.parametrize("seed", range(20))
def test_no_forbidden_transition_by_requests_that_wait(seed):
    entered, _refused = play(seed, 3000, asking=0.1)
    assert entered > 10


def test_confirmed_modes_follow_transitions_as_well():
    for seed in range(20):
        graph, _door = drawn(seed)
        machine, draw, now = ModeMachine(graph), random.Random(seed), 0.0
        ways = {(w.source, w.target) for w in graph.transitions if not w.through}
        for ticket in range(500):
            now += PERIOD
            machine.ask(draw.choice(graph.names), ticket, now)
            before, entering = machine.confirmed, machine.step(now)
            if entering is not None:
                machine.enter(entering, now)
            if draw.random() < 0.3 and not machine.is_settled:
                machine.confirm(now)
                assert before == machine.confirmed or (before, machine.confirmed) in ways


class Lamp(ParameterReflection):
    def __init__(self):
        super().__init__("lamp")
        self.on = self.declare("on", False)


def machine_of(*ways, names="abc"):
    return ModeMachine(ModeGraph(names, names[0], ways))


def guard(text="lamp.on"):
    lamp = Lamp()
    return lamp, Expression(text, ParameterDirectory([lamp]))


def settle(machine, now):
    entering = machine.step(now)
    if entering is not None:
        machine.enter(entering, now)
        machine.confirm(now)
    return entering


def test_asked_and_confirmed_are_told_apart():
    machine = machine_of(ModeTransition("a", "b"))
    machine.ask("b", 7, 0.1)
    assert machine.report[1:4] == ("b", "a", "a")
    machine.enter(machine.step(0.1), 0.1)
    assert machine.report[1:4] == ("b", "b", "a")
    machine.confirm(0.2)
    assert machine.report[1:4] == ("b", "b", "b")
    assert machine.report.ticket == 7
    assert machine.report.outcome is ModeOutcome.CONFIRMED
    assert machine.report.since == 0.2


def test_a_request_without_a_way_is_told_which_there_are():
    machine = machine_of(ModeTransition("a", "b"))
    machine.ask("c", 1, 0.0)
    assert machine.step(0.0) is None
    assert machine.report.outcome is ModeOutcome.REFUSED
    assert machine.report.reason == "no transition leads from a to c: expected b"


def test_two_steps_follow_each_other():
    machine = machine_of(
        ModeTransition("a", "b"), ModeTransition("b", "c"), ModeTransition("a", "c", through="b")
    )
    machine.ask("c", 1, 0.0)
    machine.enter(machine.step(0.0), 0.0)
    assert machine.entered == "b"
    assert machine.step(0.1) is None  # b is not confirmed yet
    machine.confirm(0.2)
    assert machine.report.outcome is ModeOutcome.UNDER_WAY
    machine.enter(machine.step(0.2), 0.2)
    machine.confirm(0.3)
    assert machine.report[1:4] == ("c", "c", "c")
    assert machine.report.outcome is ModeOutcome.CONFIRMED


def test_a_second_step_that_is_closed_leaves_the_first():
    _lamp, on = guard()
    machine = machine_of(
        ModeTransition("a", "b"),
        ModeTransition("b", "c", on),
        ModeTransition("a", "c", through="b"),
    )
    machine.ask("c", 1, 0.0)
    settle(machine, 0.0)
    settle(machine, 0.1)
    assert machine.confirmed == "b"
    assert machine.report.outcome is ModeOutcome.REFUSED
    assert machine.report.reason == "found that lamp.on does not hold"


def test_two_steps_asked_for_before_the_mode_is_confirmed_are_two_steps():
    machine = machine_of(
        ModeTransition("d", "a"),
        ModeTransition("a", "b"),
        ModeTransition("b", "c"),
        ModeTransition("a", "c", through="b"),
        names="dabc",
    )
    machine.ask("a", 1, 0.0)
    machine.enter(machine.step(0.0), 0.0)
    machine.ask("c", 2, 0.1)
    assert machine.step(0.1) is None
    machine.confirm(0.2)
    assert machine.step(0.2) == "b"


def test_a_fall_that_must_hold_comes_before_the_mode_is_confirmed():
    lamp, on = guard()
    falls = [ModeTransition(source, "c", on, hold=0.02, automatic=True) for source in "ab"]
    machine = machine_of(ModeTransition("a", "b"), *falls)
    machine.ask("b", 1, 0.0)
    machine.enter(machine.step(0.0), 0.0)
    lamp.on.value = True
    assert machine.step(0.1) is None
    assert machine.step(0.11) is None
    assert machine.step(0.13) == "c"


def test_who_asks_in_every_cycle_keeps_no_fall_from_coming():
    lamp, on = guard()
    falls = [ModeTransition(source, "c", on, hold=0.02, automatic=True) for source in "ab"]
    machine = machine_of(ModeTransition("a", "b"), ModeTransition("b", "a"), *falls)
    lamp.on.value = True
    for cycle in range(25):
        now = 0.001 * cycle
        machine.ask("ab"[cycle % 2], cycle, now)
        if settle(machine, now) == "c":
            break
    assert machine.confirmed == "c"


def test_what_held_before_a_pause_does_not_count():
    lamp, on = guard()
    machine = machine_of(ModeTransition("a", "b", on, hold=0.1, automatic=True))
    lamp.on.value = True
    assert machine.step(0.0) is None
    machine.rest(0.05, "the controller is in its safe state")
    assert machine.step(5.0) is None
    assert machine.step(5.11) == "b"


def test_a_pause_ends_what_waits():
    _lamp, on = guard()
    machine = machine_of(ModeTransition("a", "b", on, wait=9.0))
    machine.ask("b", 1, 0.0)
    assert machine.step(0.0) is None
    machine.rest(0.05, "the controller is in its safe state")
    assert machine.report.outcome is ModeOutcome.REFUSED
    assert machine.report.reason == "the controller is in its safe state"
    machine.rest(0.06, "again")
    assert machine.report.reason == "the controller is in its safe state"


def test_a_request_waits_for_its_guard_no_longer_than_stated():
    lamp, on = guard()
    machine = machine_of(ModeTransition("a", "b", on, wait=1.0))
    machine.ask("b", 1, 0.0)
    assert machine.step(0.9) is None
    lamp.on.value = True
    assert machine.step(0.95) == "b"
    lamp.on.value = False
    machine.ask("b", 2, 1.0)
    machine.step(1.9)
    assert machine.report.outcome is ModeOutcome.UNDER_WAY
    assert machine.step(2.0) is None
    assert machine.report.outcome is ModeOutcome.REFUSED


def test_what_comes_by_itself_needs_its_condition_for_a_while():
    lamp, on = guard()
    machine = machine_of(ModeTransition("a", "b", on, hold=0.1, automatic=True))
    lamp.on.value = True
    assert machine.step(0.0) is None
    lamp.on.value = False
    assert machine.step(0.08) is None
    lamp.on.value = True
    assert machine.step(0.1) is None
    assert machine.step(0.19) is None
    assert machine.step(0.2) == "b"
    assert machine.report.reason == "by itself: lamp.on for 0.1 s"


def test_a_mode_must_have_lasted():
    machine = machine_of(ModeTransition("a", "b", after=0.5))
    machine.begin(1.0)
    assert machine.why_not("b", 1.2) == "a must last 0.5 s first"
    assert machine.why_not("b", 1.5) == ""


def test_a_mode_lasts_from_its_confirmation_on():
    machine = machine_of(
        ModeTransition("a", "b"), ModeTransition("a", "c"), ModeTransition("b", "c", after=0.5)
    )
    machine.ask("b", 1, 1.0)
    machine.enter(machine.step(1.0), 1.0)
    machine.ask("c", 2, 1.1)
    assert machine.step(1.6) is None  # a has lasted, b has not begun
    machine.confirm(1.7)
    assert machine.why_not("c", 2.19) == "b must last 0.5 s first"
    assert machine.why_not("c", 2.21) == ""


def test_the_confirmed_mode_must_have_lasted_too():
    machine = machine_of(
        ModeTransition("a", "b"), ModeTransition("a", "c", after=0.5), ModeTransition("b", "c")
    )
    machine.ask("b", 1, 0.1)
    machine.enter(machine.step(0.1), 0.1)
    machine.ask("c", 2, 0.2)
    assert machine.step(0.49) is None
    assert machine.step(0.51) == "c"


@pytest.mark.parametrize("are_confirmed", [True, False])
def test_conditions_are_timed_anew_in_a_mode_that_is_entered_again(are_confirmed):
    lamp, on = guard()
    machine = machine_of(
        *(ModeTransition(*way) for way in ("ab", "ac", "ad", "bc", "cb")),
        ModeTransition("b", "d", on, hold=0.1, automatic=True), names="abcd",
    )  # fmt: skip

    def enter(name, now):
        machine.ask(name, 1, now)
        machine.enter(machine.step(now), now)
        if are_confirmed:
            machine.confirm(now)

    enter("b", 0.0)
    lamp.on.value = True
    assert machine.step(0.0) is None
    enter("c", 0.05)
    lamp.on.value = False  # while no way out of the mode asks for it
    assert machine.step(0.5) is None
    lamp.on.value = True
    enter("b", 1.0)
    assert machine.step(1.0) is None
    assert machine.step(1.09) is None
    assert machine.step(1.11) == "d"


def test_while_a_mode_is_entered_only_what_leads_from_both_is_entered():
    machine = machine_of(
        ModeTransition("a", "b"), ModeTransition("b", "c"), ModeTransition("a", "d"),
        ModeTransition("b", "d"), names="abcd",
    )  # fmt: skip
    machine.ask("b", 1, 0.0)
    machine.enter(machine.step(0.0), 0.0)
    machine.ask("c", 2, 0.1)
    assert machine.step(0.1) is None
    machine.ask("d", 3, 0.2)
    assert machine.step(0.2) == "d"


def test_a_newer_request_takes_the_place_of_one_that_waits():
    _lamp, on = guard()
    machine = machine_of(ModeTransition("a", "b", on, wait=9.0), ModeTransition("a", "c"))
    machine.ask("b", 1, 0.0)
    assert machine.step(0.0) is None
    machine.ask("c", 2, 0.1)
    assert machine.step(0.1) == "c"


def test_unknown_modes_are_named_with_the_nearest():
    graph = ModeGraph(["stand", "walk"], "stand", [ModeTransition("stand", "walk")])
    with pytest.raises(UnknownModeError, match="did you mean 'walk'"):
        graph.check("wallk")
    assert graph.reachable() == {"stand", "walk"}
    assert graph.targets("stand") == ("walk",)
