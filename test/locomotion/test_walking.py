"""Walking, whatever is asked of it and wherever it stands; without physics."""

import gc
import itertools
import math

import numpy as np
import pytest
from robots_for_tests import needs_example_robots
from standing_talos import PERIOD, WEIGHT, StandingTalos

from controlit_ros.errors import ControlItError
from controlit_ros.locomotion.footstep import Side
from controlit_ros.locomotion.given_steps import ROW
from controlit_ros.locomotion.one_foot_stand import SETTLES, WAITS
from controlit_ros.locomotion.push_reaction import AT_ONCE, BARE
from controlit_ros.locomotion.step_adaptation import AdaptedStep
from controlit_ros.parameters import ParameterError
from controlit_ros.tasks import DISABLE, ENABLE

pytestmark = needs_example_robots

AHEAD = (0.3, 0.0, 0.0)
TO_FIRST_SWING = 1.9  # [s] rest, shift of the weight, and half of a swing
TO_SHIFT = 1.2  # [s] rest, and half of the shift
RESTS = 6.0  # [s] enough to stop


@pytest.fixture(scope="module")
def loaded():
    return StandingTalos()


@pytest.fixture
def talos(loaded):
    loaded.restore()
    return loaded


def swinging(talos):
    (side,) = set(Side) - talos.standing
    return side


def yaws_of(talos, leg, duration):
    """Return the yaws that a foot is led through, and let time pass."""
    yaws = []
    for _ in range(round(duration / PERIOD)):
        talos.advance(PERIOD)
        z, w = leg.goal.place.value[5:]
        yaws.append(2.0 * math.atan2(z, w))
    return np.unwrap(yaws)


def test_feet_turn_the_short_way_where_yaw_jumps(talos):
    talos.state.position[talos.state.joint_names.index("leg_left_1_joint")] += 0.02
    talos.begin(yaw=math.pi - 0.01)
    yaws = [leg.place(talos.model).yaw for leg in talos.legs.values()]
    assert max(yaws) - min(yaws) > 6.0  # one is written as π, the other as −π
    talos.advance(TO_FIRST_SWING, AHEAD)
    leg = talos.legs[swinging(talos)]
    assert np.ptp(yaws_of(talos, leg, 0.3)) < 0.2


@pytest.mark.parametrize("yaw", [math.pi, -math.pi, math.pi - 1e-9])
def test_feet_that_stand_side_by_side_need_no_step_wherever_they_look(talos, yaw):
    talos.begin(yaw=yaw)
    left, right = (talos.legs[side].place(talos.model) for side in Side)
    beside = talos.walking._ahead(left, right._replace(yaw=-left.yaw))
    assert beside == []


def test_steps_far_from_the_origin_are_those_near_it(talos):
    steps = []
    for place, yaw in (((0.0, 0.0), 0.0), ((1000.0, -1000.0), 2.0)):
        talos.restore()
        talos.begin(place, yaw)
        talos.advance(TO_FIRST_SWING, AHEAD)
        leg = talos.legs[swinging(talos)]
        x, y, z = talos.walking.next_step.value - leg.place(talos.model).position
        c, s = math.cos(yaw), math.sin(yaw)
        steps.append((c * x + s * y, c * y - s * x, z))
    np.testing.assert_allclose(steps[0], steps[1], atol=1e-6)
    assert steps[0][0] > 0.01


def test_the_distance_of_feet_one_ahead_of_the_other_is_that_sideways(talos):
    left = talos.legs[Side.LEFT]
    width = talos.walking._width
    hip = talos.state.joint_names.index("leg_left_3_joint")
    talos.state.position[hip] -= 0.2
    talos.begin()
    places = [leg.place(talos.model).position for leg in talos.legs.values()]
    assert abs(places[0][0] - places[1][0]) > 0.1
    assert left.place(talos.model).side is Side.LEFT
    assert talos.walking._width == pytest.approx(width, abs=0.01)


def test_a_velocity_out_of_reach_is_forgotten_as_soon_as_one_within(talos):
    walking = talos.walking
    reach = walking._steps.reach(walking.times[0].value + walking.times[1].value)
    for _ in range(100):
        talos.advance(PERIOD, (1e30, 0.0, 0.0))
        walking.velocity.next(reach)
    assert walking.velocity.next(reach)[0] == pytest.approx(reach[0])
    talos.advance(PERIOD, (0.0, 0.0, 0.0))
    steps = math.ceil(reach[0] / walking.velocity.change.value[0])
    assert not [walking.velocity.next(reach) for _ in range(steps)][-1].any()


def test_velocities_that_flip_in_every_cycle_do_no_harm(talos):
    for cycle in range(2500):
        sign = 1.0 if cycle % 2 else -1.0
        talos.advance(PERIOD, np.full(3, sign * 1e30))
    assert talos.walking.steps_made.value > 10


def test_a_stick_that_is_let_go_does_not_walk(talos):
    talos.advance(4.0, (5e-4, -5e-4, 5e-4))
    assert talos.walking.steps_made.value == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("single_support", 0.05),
        ("single_support", 100.0),
        ("shift", 100.0),
        ("swing_height", 5.0),
        ("sinking_speed", 1e6),
        ("patience", 1e6),
        ("max_step_length", -0.1),
        ("max_step_length", 100.0),
        ("foot_distance", 1e6),
    ],
)
def test_what_no_robot_can_do_is_refused(talos, name, value):
    with pytest.raises(ParameterError, match=name):
        talos.walking.parameter(name).set(value)


def test_the_next_step_is_shown_while_one_is_planned(talos):
    _, step = talos.walking.shapes()
    assert np.isnan(step.yaw.value)  # it stands
    while talos.walking._swing is None:
        talos.advance(PERIOD, (0.1, 0.0, 0.1))
    target = talos.walking._swing.target
    assert step.position.value == pytest.approx(target.position)
    assert step.yaw.value == pytest.approx(target.yaw)
    assert step.half_size.value.tolist() == [0.105, 0.065]


def test_extremes_that_are_allowed_set_in_mid_step_do_no_harm(talos):
    talos.advance(TO_FIRST_SWING, AHEAD)
    bounded = [p for p in talos.walking.parameters.values() if p.upper is not None]
    assert len(bounded) >= 9
    for extreme in ("lower", "upper"):
        for parameter in bounded:
            parameter.set(getattr(parameter, extreme))
            talos.advance(0.3, AHEAD)
        talos.advance(10.0, AHEAD)


def test_contacts_and_feet_that_a_client_switches_are_switched_back(talos):
    talos.advance(TO_FIRST_SWING, AHEAD)
    side = swinging(talos)
    stance, swing = talos.legs[side.other], talos.legs[side]
    stance.contact.operational_state.assign(DISABLE)
    swing.contact.operational_state.assign(ENABLE)
    swing.task.operational_state.assign(DISABLE)
    talos.advance(PERIOD)
    assert talos.standing == {side.other}
    assert swing.is_switched(swings=True)


def test_what_an_updater_reads_is_switched_only_when_it_rests(talos):
    talos.advance(1.0)
    contact = talos.legs[Side.LEFT].contact
    contact.operational_state.assign(DISABLE)
    talos.may_switch = False
    talos.advance(PERIOD)
    assert contact.operational_state.value == DISABLE
    assert talos.walking.waits
    talos.may_switch = True
    talos.advance(PERIOD)
    assert contact.operational_state.value == ENABLE
    assert not talos.walking.waits


def test_without_balance_it_does_not_set_off_and_says_why(talos):
    talos.com.operational_state.assign(DISABLE)
    talos.advance(3.0, AHEAD)
    assert talos.walking.support.value == "both"
    assert "CenterOfMass.operational_state" in talos.walking.complaint
    talos.com.operational_state.assign(ENABLE)
    talos.advance(3.0, AHEAD)
    assert talos.walking.complaint == ""
    assert talos.walking.steps_made.value > 0


def test_without_balance_it_stops(talos):
    talos.advance(5.0, AHEAD)
    talos.com.operational_state.assign(DISABLE)
    talos.advance(RESTS, AHEAD)
    assert talos.walking.support.value == "both"
    made = talos.walking.steps_made.value
    talos.advance(2.0, AHEAD)
    assert talos.walking.steps_made.value == made


def test_control_that_begins_anew_in_mid_swing_first_puts_the_foot_down(talos):
    talos.advance(TO_FIRST_SWING, AHEAD)
    side = swinging(talos)
    made = talos.walking.steps_made.value
    talos.feel(side, 0.0)
    talos.begin()
    talos.advance(5 * PERIOD)
    assert talos.standing == {side.other}
    assert talos.walking.support.value == side.other.name.lower()
    talos.advance(0.1)
    talos.feel(side, WEIGHT)
    talos.advance(PERIOD)
    assert talos.standing == set(Side)
    talos.advance(RESTS)
    assert talos.standing == set(Side)
    assert talos.walking.steps_made.value == made


def test_control_that_begins_anew_with_both_feet_on_the_ground_stands_on_both(talos):
    talos.advance(TO_FIRST_SWING, AHEAD)
    side = swinging(talos)
    talos.feel(side, WEIGHT)
    talos.begin()
    talos.advance(PERIOD)
    assert talos.standing == set(Side)


def push_ahead(talos):
    """Let it move so fast that its soles cannot hold it."""
    talos.begin()
    push(talos)


def push(talos):
    talos.walking.parameter("adapts_steps").set(True)
    for side in Side:
        talos.feel(side, WEIGHT)
    talos.state.base_velocity[:3] = (0.6, 0.0, 0.0)
    talos.model.update(talos.state)


def stop(talos):
    talos.state.base_velocity[:] = 0.0
    talos.model.update(talos.state)


def test_a_push_at_rest_is_caught_by_a_step(talos):
    push_ahead(talos)
    talos.advance(AT_ONCE + 2.0 * PERIOD)
    assert len(talos.standing) == 1
    stop(talos)


def test_so_is_one_while_the_weight_shifts_before_the_first_step(talos):
    talos.advance(TO_SHIFT, AHEAD)
    assert not talos.walking.rests.value
    assert talos.standing == set(Side)
    push(talos)
    talos.advance(AT_ONCE + 2.0 * PERIOD, AHEAD)
    assert len(talos.standing) == 1
    stop(talos)


@pytest.mark.parametrize("first", list(Side))
def test_given_steps_come_in_turns_after_the_one_that_catches(talos, first):
    push_ahead(talos)
    talos.advance(AT_ONCE + 2.0 * PERIOD)
    step = talos.walking._lifted_for
    listed(talos, *((side, 0.15, side.value * 0.085) for side in (first, first.other)))
    talos.advance(PERIOD)
    sides = [each.side for each in (step, *talos.walking._after(step))]
    assert sides[-2:] == [first, first.other]
    assert all(one is not other for one, other in itertools.pairwise(sides))
    stop(talos)


@pytest.mark.parametrize("name", ["adapts_steps", "catches_itself"])
def test_it_is_not_where_that_is_switched_off(talos, name):
    push_ahead(talos)
    talos.walking.parameter(name).set(False)
    talos.advance(1.0)
    assert talos.standing == set(Side)
    stop(talos)


def test_it_is_not_while_nothing_keeps_the_balance(talos):
    push_ahead(talos)
    talos.com.operational_state.assign(DISABLE)
    talos.advance(1.0)
    assert talos.standing == set(Side)
    stop(talos)


def test_it_is_not_by_a_robot_that_is_lifted(talos):
    push_ahead(talos)
    for side in Side:
        talos.feel(side, 0.0)
    talos.advance(1.0)
    assert talos.standing == set(Side)
    stop(talos)


def test_a_robot_that_does_not_stand_on_its_soles_is_told(talos):
    talos.begin()
    talos.state.base_orientation[:] = (1.0, 0.0, 0.0, 0.0)  # on its head
    talos.model.update(talos.state)
    with pytest.raises(ControlItError, match="above the soles"):
        talos.walking.begin(talos.moment)


def test_what_was_to_be_planned_is_forgotten_where_control_begins_anew(talos):
    walking = talos.walking
    talos.advance(TO_FIRST_SWING, AHEAD)
    made = walking.steps_made.value
    while walking.steps_made.value == made:
        talos.advance(PERIOD, AHEAD)
    walking.begin(talos.moment)
    resting = walking._stride
    talos.advance(3.0 * PERIOD)
    assert walking._stride is resting
    assert resting.step is None


def test_its_cycles_leave_nothing_for_the_collector(talos):
    talos.advance(TO_FIRST_SWING, AHEAD)
    gc.collect()
    gc.disable()
    try:
        before = gc.get_count()[0]
        talos.advance(5.0, AHEAD)
        # a few of each step's plan are kept by the interpreter, to be used again
        assert gc.get_count()[0] - before < 0.5 * 5.0 / PERIOD
    finally:
        gc.enable()


def listed(talos, *steps):
    """Give footsteps: side, forward and to the left of where the robot began."""
    values = np.zeros(talos.walking.given.given.value.size)
    for i, (side, x, y) in enumerate(steps):
        values[ROW * i : ROW * i + 3] = side.value, x, y
    talos.walking.given.given.set(values)


def test_it_makes_the_steps_that_it_is_given_and_stays(talos):
    half = talos.walking._places(talos.model)[0].position[1]
    listed(talos, (Side.RIGHT, 0.2, -half), (Side.LEFT, 0.35, half), (Side.RIGHT, 0.3, -half))
    targets, ahead = [], []
    for _ in range(round(12.0 / PERIOD)):
        talos.advance(PERIOD)
        ahead.append(talos.walking.steps_ahead.value)
        swing = talos.walking._swing
        if swing is not None and (not targets or targets[-1] is not swing.target):
            targets.append(swing.target)
    assert [target.side for target in targets] == [Side.RIGHT, Side.LEFT, Side.RIGHT]
    np.testing.assert_allclose([t.position[0] for t in targets], [0.2, 0.35, 0.3])
    assert ahead[0] == 3
    assert sorted(set(ahead)) == [0, 1, 2, 3]
    assert ahead[-1] == 0
    assert talos.standing == set(Side)


def test_a_first_step_beyond_the_limits_is_not_made_and_told(talos):
    half = talos.walking._places(talos.model)[0].position[1]
    listed(talos, (Side.RIGHT, 0.9, -half))
    talos.advance(2.0)
    assert talos.standing == set(Side)
    assert "found 0.909 m ahead" in talos.walking.complaint
    talos.advance(TO_FIRST_SWING, AHEAD)  # to a velocity it walks
    assert len(talos.standing) == 1
    listed(talos)
    talos.advance(PERIOD)
    assert talos.walking.complaint == ""


def test_steps_that_begin_with_the_foot_that_stands_come_after_one_beside_it(talos):
    half = talos.walking._places(talos.model)[0].position[1]
    talos.advance(TO_FIRST_SWING, AHEAD)
    first = swinging(talos)
    listed(talos, (first, 0.1, first.value * half))
    seen = []
    for _ in range(round(4.0 / PERIOD)):
        talos.advance(PERIOD)
        if len(talos.standing) == 1 and (not seen or seen[-1] is not swinging(talos)):
            seen.append(swinging(talos))
    assert seen == [first, first.other, first]
    assert talos.walking.steps_ahead.value == 0


def test_it_tells_whether_it_rests(talos):
    talos.advance(1.0)
    assert talos.walking.rests.value
    talos.advance(TO_FIRST_SWING, AHEAD)
    assert not talos.walking.rests.value
    talos.advance(RESTS)
    assert talos.walking.rests.value


def test_it_steps_in_place_as_long_as_it_keeps_stepping(talos):
    walking = talos.walking
    places = {side: leg.place(talos.model).position for side, leg in talos.legs.items()}
    walking.keeps_stepping.set(True)
    talos.advance(TO_FIRST_SWING)
    side = swinging(talos)
    np.testing.assert_allclose(walking.next_step.value, places[side], atol=0.01)
    walking.keeps_stepping.set(False)
    talos.advance(RESTS)
    assert walking.rests.value


def test_a_last_step_that_changes_is_still_the_last(talos, monkeypatch):
    walking = talos.walking
    # feet that nothing moves stand side by side, where no last step would be made
    monkeypatch.setattr("controlit_ros.locomotion.walking._is_beside", lambda *_feet: False)
    talos.advance(TO_FIRST_SWING, AHEAD)
    for _ in range(round(RESTS / PERIOD)):
        if walking._ends and walking._swing is not None:
            break
        talos.advance(PERIOD)
    assert walking._ends
    place = np.array([0.0, swinging(talos).value * 0.2])
    changed = AdaptedStep(place, np.zeros(2), 0.3, np.zeros(2))
    monkeypatch.setattr(walking.push.steps, "look", lambda *_asked: changed)
    walking.push.steps.adapts.set(True)
    before = walking.changes.value
    talos.advance(2.0 * PERIOD)  # it is aimed a cycle after the foot has left
    assert walking.changes.value == before + 1
    double_support = walking.times[1].value
    assert walking._stride.plan.duration == pytest.approx(0.3 + double_support)


def test_a_robot_that_has_caught_itself_rests_and_sets_off_anew(talos):
    walking = talos.walking
    talos.advance(TO_FIRST_SWING, AHEAD)
    walking.push.is_changed = True  # nothing moves: ξ is between the feet, and far from the plan
    made = walking.steps_made.value
    while walking.steps_made.value == made:
        talos.advance(PERIOD, AHEAD)
    talos.advance(2.0 * PERIOD, AHEAD)  # it is planned two cycles after the foot came down
    assert walking._stride.step is None
    talos.advance(walking._stride.plan.duration + 2 * PERIOD, AHEAD)
    assert walking._stride.step is not None
    np.testing.assert_allclose(walking._velocity, (0.1, 0.0, 0.0))


def test_feet_far_apart_after_a_changed_step_are_put_side_by_side_from_rest(talos, monkeypatch):
    walking = talos.walking
    monkeypatch.setattr("controlit_ros.locomotion.walking._is_beside", lambda *_feet: False)
    talos.advance(TO_FIRST_SWING, AHEAD)
    walking.push.is_changed = True
    made = walking.steps_made.value
    while walking.steps_made.value == made:
        talos.advance(PERIOD)
    talos.advance(RESTS)
    assert walking.steps_made.value == made + 2
    assert walking.rests.value


def pushed_above(talos, monkeypatch, side):
    """Let ξ be above a sole."""
    walking = talos.walking
    above = talos.legs[side].place(talos.model).position + np.array([0.0, 0.0, 0.9])
    monkeypatch.setattr(walking._planner, "dcm", lambda _model: above)


@pytest.mark.parametrize("is_changed", [True, False])
def test_after_a_push_a_foot_that_bears_nothing_is_put_down_anew(talos, monkeypatch, is_changed):
    walking = talos.walking
    talos.advance(RESTS)
    pushed_above(talos, monkeypatch, Side.LEFT)
    talos.feel(Side.LEFT, WEIGHT)
    talos.feel(Side.RIGHT, 0.0)
    walking.push.is_changed = is_changed
    talos.advance(0.5 * BARE)
    assert talos.standing == set(Side)
    talos.advance(BARE)
    assert (talos.standing == {Side.LEFT}) == is_changed
    talos.feel(Side.RIGHT, WEIGHT)
    talos.advance(RESTS)
    assert talos.standing == set(Side)


def test_a_foot_that_is_about_to_bear_the_robot_stays(talos, monkeypatch):
    talos.advance(RESTS)
    talos.walking.push.is_changed = True
    pushed_above(talos, monkeypatch, Side.RIGHT)
    talos.feel(Side.LEFT, WEIGHT)
    talos.feel(Side.RIGHT, 0.0)
    talos.advance(3.0 * BARE)
    assert talos.standing == set(Side)


@pytest.mark.parametrize("adapts", [True, False])
def test_far_off_the_plan_the_weight_goes_over_the_next_foot_at_once(talos, adapts):
    walking = talos.walking
    talos.advance(TO_FIRST_SWING, AHEAD)
    made = walking.steps_made.value
    while walking.steps_made.value == made:
        talos.advance(PERIOD, AHEAD)
    talos.advance(2.0 * PERIOD, AHEAD)  # it is planned two cycles after the foot came down
    planned = walking._motion(talos.moment.now)
    assert walking.push.is_off(talos.moment, planned, talos.legs[Side.RIGHT].place(talos.model))
    walking.push.steps.adapts.set(adapts)
    talos.advance(AT_ONCE + 2.0 * PERIOD, AHEAD)
    assert (len(talos.standing) == 1) == adapts


def test_a_foot_waits_while_no_step_helps_and_comes_down_when_xi_is_back(talos, monkeypatch):
    walking = talos.walking
    talos.advance(TO_FIRST_SWING, AHEAD)
    side = swinging(talos)
    pushed_above(talos, monkeypatch, side.other)
    missed = np.array([0.0, side.other.value * 0.1])
    step = AdaptedStep(np.array([0.1, side.value * 0.17]), np.zeros(2), 0.3, missed)
    monkeypatch.setattr(walking.push.steps, "look", lambda *_asked: step)
    walking.push.steps.adapts.set(True)
    made, changes = walking.steps_made.value, walking.changes.value
    talos.advance(0.9 * WAITS, AHEAD)
    assert walking.steps_made.value == made
    assert walking.changes.value == changes + 1
    goal = walking.dcm_goal.value[:2]
    standing = talos.legs[side.other].place(talos.model).position
    np.testing.assert_allclose(goal, standing[:2], atol=1e-6)
    talos.advance(0.2 * WAITS + SETTLES + walking.patience.value + 2 * PERIOD, AHEAD)
    assert walking.steps_made.value == made + 1
    assert walking._stride.step is None


def lean(talos, *pitches, moving=0.0):
    """Begin with the soles pitched about y [rad], the left one first."""
    names = talos.stack.robot.real_joints
    for side, pitch in zip(("left", "right"), pitches, strict=True):
        talos.state.position[names.index(f"leg_{side}_5_joint")] += pitch
    talos.state.base_velocity[3:] = (0.0, moving, 0.0)
    talos.begin()
    talos.state.base_velocity.fill(0.0)


@pytest.mark.parametrize("pitch", [-0.2, 0.1])
def test_a_robot_that_begins_on_a_slope_goes_on_over_it(talos, pitch):
    lean(talos, pitch, pitch)
    talos.advance(TO_FIRST_SWING, AHEAD)
    target = talos.walking._swing.target
    assert target.slope == pytest.approx((-np.tan(pitch), 0.0), abs=1e-6)
    stance = talos.legs[target.side.other].place(talos.model)
    way = target.position - stance.position
    assert way[2] == pytest.approx(-np.tan(pitch) * way[0])
    assert way[0] > 0.05


@pytest.mark.parametrize(
    ("pitches", "moving"), [((0.01, 0.01), 0.0), ((0.1, -0.1), 0.0), ((0.1, 0.1), 0.2)]
)
def test_soles_that_do_not_agree_or_move_stand_on_no_slope(talos, pitches, moving):
    lean(talos, *pitches, moving=moving)
    assert all(leg.ground.slope == (0.0, 0.0) for leg in talos.legs.values())


def test_a_foot_that_is_pushed_over_is_on_the_ground_it_came_down_on(talos):
    names = talos.stack.robot.real_joints
    talos.state.position[names.index("leg_left_5_joint")] += 0.2
    talos.model.update(talos.state)
    assert talos.legs[Side.LEFT].place(talos.model).slope == (0.0, 0.0)


@pytest.mark.parametrize(("sensor", "sinks"), [("", 0.01), (None, 0.0)])
def test_the_next_foot_goes_to_the_ground_on_which_one_that_feels_nothing_stands(
    talos, sensor, sinks
):
    if sensor is not None:
        for leg in talos.legs.values():
            leg.contact.wrench_sensor.assign(sensor)
    talos.advance(TO_SHIFT, AHEAD)
    planned = talos.walking.next_step.value[2]
    talos.state.base_position[2] -= 0.01  # it stands lower than was believed
    talos.model.update(talos.state)
    talos.advance(TO_FIRST_SWING - TO_SHIFT, AHEAD)
    stance = talos.legs[swinging(talos).other].place(talos.model)
    target = talos.walking._swing.target.position[2]
    assert target == pytest.approx(planned - sinks, abs=1e-9)
    assert stance.position[2] == pytest.approx(planned - 0.01, abs=2e-3)
