"""Tasks that come and go: the others notice nothing, and the stack is that of a fresh set."""

import numpy as np
import pytest
from robots_for_tests import configured, random_state, updated
from tasks_of_a_chain import chain_of_four

from controlit_ros.tasks import CompoundTask, TaskSet
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.joint_limit import JointLimit
from controlit_ros.tasks.joint_position import JointPosition

PERIOD = 0.001
KINDS = {
    "hand": (CartesianPosition, {"body": "link_4", "kp": 30.0, "priority": 2}),
    "elbow": (CartesianPosition, {"body": "link_2", "kp": 20.0, "kd": 3.0, "priority": 1}),
    "com": (CenterOfMass, {"kp": 10.0, "ki": 4.0, "priority": 2}),
    "posture": (JointPosition, {"kp": 5.0, "kd": 2.0}),
    "limits": (JointLimit, {"margin": 0.5, "priority": 9}),
    "more limits": (JointLimit, {"margin": 0.3, "priority": 8}),
}


@pytest.fixture
def description():
    return chain_of_four()


@pytest.fixture
def model(description, rng):
    return updated(description, random_state(description, rng))


def make(name, description):
    kind, parameters = KINDS[name]
    return configured(kind(name.replace(" ", "_"), description), **parameters)


def cycle(compound, model):
    for task in compound.tasks:
        task.update(model, task.inactive)
        task.swap()
    compound.compute(PERIOD)


def stacked(compound):
    return [
        array.copy()
        for array in (compound.jacobian, compound.command, compound.bias, compound.level_ends)
    ]


def admitted(compound, rng):
    """Let some unilateral rows act; return the stack after that."""
    nv, na, rank = compound.jacobian.shape[1], 4, 3
    rows = len(compound.command)
    compound.admit(
        task_map=rng.normal(size=(nv, rank)),
        effort_map=rng.normal(size=(na, rank)),
        Phi=rng.normal(size=(na, na)),
        bias_effort=rng.normal(size=na),
        drift=np.zeros(nv),
        bias=np.zeros(rows),
        effort=10.0 * rng.normal(size=na),
    )
    return compound.jacobian.copy()


@pytest.mark.parametrize("seed", range(8))
def test_the_stack_is_that_of_a_set_made_at_once(description, model, seed):
    rng = np.random.default_rng(seed)
    compound = CompoundTask([make("hand", description), make("posture", description)])
    names = ["hand", "posture"]
    acted = 0
    for _ in range(12):
        cycle(compound, model)
        absent = sorted(set(KINDS) - set(names))
        if absent and (not names or rng.random() < 0.6):
            name = absent[rng.integers(len(absent))]
            compound.adopt(compound.task_set.with_task(make(name, description)))
            names.append(name)
        else:
            name = names.pop(rng.integers(len(names)))
            leaving = next(t for t in compound.tasks if t.name == name.replace(" ", "_"))
            compound.adopt(compound.task_set.without(leaving))
        assert [task.name for task in compound.tasks] == [n.replace(" ", "_") for n in names]
        compound.rehearse()  # between the change and the first cycle nothing is written anywhere
        for task in compound.tasks:
            task.controller.reset()
        cycle(compound, model)
        fresh = CompoundTask([make(name, description) for name in names], description.nv)
        cycle(fresh, model)
        for ours, theirs in zip(stacked(compound), stacked(fresh), strict=True):
            np.testing.assert_array_equal(ours, theirs)
        assert compound.has_unilateral_rows == fresh.has_unilateral_rows
        if compound.has_unilateral_rows:
            state = rng.bit_generator.state
            ours = admitted(compound, rng)
            rng.bit_generator.state = state
            np.testing.assert_array_equal(ours, admitted(fresh, rng))
            acted += int(ours.any())
    assert acted


def test_who_stays_keeps_goal_and_integral(description, model):
    com, alone = make("com", description), make("com", description)
    compound, untouched = CompoundTask([com]), CompoundTask([alone])
    joining = []
    compound.on_join = joining.append
    for step in range(30):
        if step == 10:
            compound.adopt(compound.task_set.with_task(make("posture", description)))
        if step == 20:
            compound.adopt(compound.task_set.without(compound.tasks[1]))
        if step == 25:
            com.goal.set([0.1, 0.2, 0.3])
            alone.goal.set([0.1, 0.2, 0.3])
        cycle(compound, model)
        cycle(untouched, model)
        np.testing.assert_array_equal(com.command.value, alone.command.value)
        np.testing.assert_array_equal(com.error.value, alone.error.value)
    assert com.controller.integral.any()
    assert [task.name for task in joining] == ["com", "posture"]


def test_no_tasks_at_all_are_a_set_as_well(description, model):
    compound = CompoundTask([], description.nv)
    compound.compute(PERIOD)
    assert compound.jacobian.shape == (0, description.nv)
    compound.adopt(compound.task_set.with_task(make("hand", description)))
    cycle(compound, model)
    assert compound.jacobian.any()
    compound.adopt(compound.task_set.without(compound.tasks[0]))
    compound.compute(PERIOD)
    assert compound.jacobian.shape == (0, description.nv)
    assert compound.levels == ()


def test_memory_goes_with_its_task(description):
    tasks = TaskSet.of([make("hand", description)], description.nv)
    more = tasks.with_task(make("posture", description))
    assert (tasks.rows, more.rows) == (3, 7)
    assert len(more.blocks) == 2
    assert more.blocks[0] is tasks.blocks[0]
    assert more.without(more.seats[0].task).blocks == more.blocks[1:]
