"""The state machine of managed nodes, without a node."""

import itertools

import pytest

from controlit_ros.introspection import Lifecycle, LifecycleHooks
from controlit_ros.introspection.lifecycle_graph import (
    ACTIVE,
    FINALIZED,
    INACTIVE,
    STATES,
    TRANSITIONS,
    UNCONFIGURED,
)

LABELS = ("configure", "cleanup", "activate", "deactivate", "shutdown")
PATHS = {
    UNCONFIGURED: (),
    INACTIVE: ("configure",),
    ACTIVE: ("configure", "activate"),
    FINALIZED: ("shutdown",),
}
LEGAL = {
    (UNCONFIGURED, "configure"): INACTIVE,
    (UNCONFIGURED, "shutdown"): FINALIZED,
    (INACTIVE, "activate"): ACTIVE,
    (INACTIVE, "cleanup"): UNCONFIGURED,
    (INACTIVE, "shutdown"): FINALIZED,
    (ACTIVE, "deactivate"): INACTIVE,
    (ACTIVE, "shutdown"): FINALIZED,
}


class Hooks:
    """Notes what was called; what `results` names returns that or raises it."""

    def __init__(self, **results):
        self.calls = []
        self.results = results

    def hooks(self):
        return LifecycleHooks(*(self._hook(name) for name in LifecycleHooks._fields))

    def _hook(self, name):
        def run():
            self.calls.append(name)
            result = self.results.get(name, True)
            if isinstance(result, Exception):
                raise result
            return result

        return run


def machine_in(state, hooks):
    machine = Lifecycle(hooks.hooks())
    for label in PATHS[state]:
        assert machine.trigger(label)
    hooks.calls.clear()
    return machine


@pytest.mark.parametrize(("state", "label"), list(itertools.product(PATHS, LABELS)))
def test_every_transition_from_every_state(state, label):
    hooks = Hooks()
    machine = machine_in(state, hooks)
    legal = (state, label) in LEGAL
    assert machine.trigger(label) is legal
    assert machine.state == LEGAL.get((state, label), state)
    assert hooks.calls == ([label] if legal else [])
    assert (machine.error is None) is legal


@pytest.mark.parametrize(("state", "number"), list(itertools.product(PATHS, range(-1, 70))))
def test_numbers_mean_what_ros_2_says(state, number):
    machine = machine_in(state, Hooks())
    known = {1: "configure", 2: "cleanup", 3: "activate", 4: "deactivate"}
    shutdowns = {5: UNCONFIGURED, 6: INACTIVE, 7: ACTIVE}
    goal = LEGAL.get((state, known.get(number)))
    if shutdowns.get(number) == state:
        goal = FINALIZED
    assert machine.trigger(number=number) is (goal is not None)
    assert machine.state == (goal or state)


@pytest.mark.parametrize(("state", "label"), [key for key in LEGAL if key[1] != "shutdown"])
def test_failure_leaves_the_state_as_it_was(state, label):
    hooks = Hooks()
    machine = machine_in(state, hooks)
    hooks.results[label] = False
    assert not machine.trigger(label)
    assert machine.state == state
    assert "recover" not in hooks.calls


@pytest.mark.parametrize(("state", "label"), LEGAL)
@pytest.mark.parametrize(
    ("recovery", "goal"), [(True, UNCONFIGURED), (False, FINALIZED), (OSError("x"), FINALIZED)]
)
def test_error_is_processed(state, label, recovery, goal):
    hooks = Hooks()
    machine = machine_in(state, hooks)
    seen = []
    machine.observe(lambda transition: seen.append(transition.goal.label))
    hooks.results |= {label: ValueError("broken"), "recover": recovery}
    assert not machine.trigger(label)
    assert machine.state == goal
    assert str(machine.error) == "broken"
    assert seen[1:] == ["errorprocessing", goal.label]


def test_graph_is_that_of_ros_2():
    assert [state.number for state in STATES] == [0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 15]
    assert len(TRANSITIONS) == 25
    assert len({transition.number for transition in TRANSITIONS}) == 25
    by_number = {t.number: (t.start.label, t.goal.label) for t in TRANSITIONS}
    assert by_number[12] == ("configuring", "errorprocessing")
    assert by_number[41] == ("deactivating", "active")
    assert by_number[51] == ("shuttingdown", "finalized")
    assert by_number[60] == ("errorprocessing", "unconfigured")
    assert by_number[62] == ("errorprocessing", "finalized")


def test_observers_hear_both_halves():
    machine = Lifecycle(Hooks().hooks())
    seen = []
    machine.observe(lambda t: seen.append((t.number, t.start.label, t.goal.label)))
    machine.trigger("configure")
    assert seen == [(1, "unconfigured", "configuring"), (10, "configuring", "inactive")]
