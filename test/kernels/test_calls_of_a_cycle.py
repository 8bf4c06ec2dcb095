"""Kernels that join others do what these do one after the other."""

import math

import numpy as np
import pytest

from controlit_ros.finite import is_finite
from controlit_ros.kernels import (
    accelerate,
    are_finite,
    hold_inside,
    implausible,
    incredible,
    is_finite_vector,
    keep_inside,
    look_ahead,
    not_followed,
    oscillation,
    pace_limits,
    shakes,
)
from controlit_ros.kernels import joint_outlook as outlook_rows
from controlit_ros.kernels import measurement_layout as layout
from controlit_ros.kernels.keep_inside import SCRATCH_ROWS

N = 3
PERIOD = 1e-3  # [s]
EXACT = 2.0**-10  # [s] a period whose multiples have exact differences


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e200])
def test_one_entry_that_is_not_finite_is_found_wherever_it_stands(bad):
    rows, first, second = np.ones((3, 4)), np.ones(3), np.ones(2)
    assert are_finite(rows, 3, first, second)
    for array in (rows, first, second):
        for i in range(array.size):
            array.reshape(-1)[i] = bad
            assert not are_finite(rows, 3, first, second)
            array.reshape(-1)[i] = 1.0
        assert is_finite_vector(array.reshape(-1))
        array.reshape(-1)[-1] = bad
        with np.errstate(over="ignore"):
            assert is_finite_vector(array.reshape(-1)) == is_finite(array) is False
        array.reshape(-1)[-1] = 1.0
    rows[2, 3] = first[2] = bad
    assert are_finite(rows, 2, first, second)


def test_accelerations_are_those_of_the_efforts_beyond_the_bias(rng):
    Phi, effort, bias = rng.normal(size=(N, N)), rng.normal(size=N), rng.normal(size=N)
    out = np.zeros(N)
    accelerate(Phi, effort, bias, out)
    np.testing.assert_allclose(out, Phi @ (effort - bias), atol=1e-14)


def motion(rng, spread):
    """Return what `RobotState.motion` holds, of a base that is well."""
    found = np.zeros(layout.JOINTS_AT + 4 * N)
    found[layout.TWIST_AT - 1] = 1.0
    found[layout.JOINTS_AT :] = rng.normal(scale=spread, size=4 * N)
    return found


def test_a_measurement_is_incredible_for_either_reason(rng):
    bounds = np.ones((layout.JOINT_BOUNDS, N))
    bounds[layout.LOWER] = -1.0
    bounds[layout.SURPRISE] = 0.1
    base = np.array([10.0, 1.0, 1.0, 0.1])
    reasons = set()
    for _ in range(400):
        last = motion(rng, 0.3)
        found = last + rng.choice([0.0, 1.0]) * motion(rng, rng.choice([0.01, 0.3, 1.0]))
        found[: layout.JOINTS_AT] = last[: layout.JOINTS_AT]
        found[layout.PLACE_AT] = rng.choice([0.0, 20.0], p=[0.9, 0.1])
        since, with_base = rng.choice([0.0, PERIOD]), bool(rng.integers(2))
        first = implausible(found, last, bounds, base, 0.01, with_base)
        second = not_followed(found, last, bounds, since, True) if since else layout.GOOD
        expected = first or second
        code = incredible(found, last, bounds, base, 0.01, since, with_base)
        assert code == expected
        reasons.add(code % layout.KINDS)
    assert {layout.GOOD, layout.NOT_FOLLOWED, layout.BASE_PLACE, layout.RANGE} <= reasons


def test_shaking_is_what_its_parts_find(rng):
    """Each signal is compared with its own levels and kept apart from the others."""
    joints = np.array([2, 0])
    levels = rng.uniform(0.05, 0.3, (oscillation.LEVEL_ROWS, 2))
    pace = oscillation.Pace(0.05, 0.02, 0.01, 20.0, 0.01, 100.0, 1.2, 3.0, 4.0, 5.0)
    kept, signals = np.zeros((oscillation.KEPT_ROWS, 2)), np.zeros((2, 2))
    commanded, measured = np.zeros((2, oscillation.CHATTER_ROWS, 2))
    swing, effort_swing = np.zeros((2, oscillation.SWING_ROWS, 2))
    found, expected = np.zeros(2, dtype=bool), np.zeros(2, dtype=bool)
    told = np.zeros(1, dtype=np.int64)
    results = set()
    for k in range(600):
        wave = np.sin(0.3 * k) * (k / 300.0) + 0.1 * rng.normal(size=2)
        velocity, effort = np.array([0.5, 9.0, 1.0]) * wave[0], rng.normal(size=3)
        command = wave * np.array([1.0, 0.1])
        v, e = velocity[joints], effort[joints]
        result = oscillation.CHATTERS * oscillation.chatter(
            command, pace.chatter_mean, pace.window, levels[0], pace.often, pace.sustained,
            commanded,
        )  # fmt: skip
        result += oscillation.CHATTER_IS_MEASURED * oscillation.chatter(
            e, pace.chatter_mean, pace.window, levels[0], pace.often, pace.sustained, measured
        )
        often = pace.swing_mean, pace.longest, pace.jump
        oscillation.swings(v, *often, levels[1], levels[3], swing)
        oscillation.swings(command, *often, levels[2], levels[4], effort_swing)
        result += oscillation.DIVERGES * oscillation.diverging(
            swing, effort_swing, levels[5], levels[6], pace.growth, pace.growing, pace.many,
            expected,
        )  # fmt: skip
        is_calm = shakes(
            command, velocity, effort, joints, levels, np.array(pace), kept, signals, found, told
        )
        assert told[0] == result
        assert is_calm is (result == 0)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(kept, np.vstack([commanded, measured, swing, effort_swing]))
        results.add(result)
    assert len(results) >= 4


@pytest.mark.parametrize("round_trip", [0.0, 1.0, 3.4 * EXACT])
def test_looking_ahead_is_observing_and_leading(rng, round_trip):
    """A round trip counts by a period at least and by half of the ring at most."""
    joints, size = np.array([3, 1]), 8
    rows = np.zeros((outlook_rows.OUTLOOK_ROWS, 2))
    rows[outlook_rows.WRONG], rows[outlook_rows.FASTEST] = 0.3, 5.0
    caused = np.zeros((size, 2))
    own = {name: np.zeros((2, 2)) for name in ("measured", "last")}
    observed = np.zeros((outlook_rows.OBSERVED_ROWS, 2))
    led = np.zeros((outlook_rows.LED_ROWS, 2))
    trip = min(max(round_trip, EXACT), size // 2 * EXACT)
    under_way, met, newest = round(trip / EXACT) - 1, 1, 0
    ring, found = np.zeros(2, dtype=np.int64), motion(rng, 0.0)
    times = np.array([EXACT, 0.02, 0.01, 0.016, round_trip, math.nan])
    found[layout.STAMP_AT] = 7.0
    for k in range(40):
        position, velocity = rng.normal(size=(2, 4))
        elapsed = {0: 0.0, 20: -1.0}.get(k, EXACT if k % 3 and not 24 < k < 36 else math.nan)
        found[layout.STAMP_AT] += 0.0 if math.isnan(elapsed) else elapsed
        ring[outlook_rows.NEWEST] = newest
        if not math.isnan(elapsed):
            own["measured"][:] = position[joints], velocity[joints]
        assert look_ahead(found, position, velocity, joints, rows, caused, ring, times)
        if elapsed > 0.0:
            outlook_rows.observe_joints(
                own["measured"], own["last"], caused, newest - under_way,
                min(met, size - under_way), rows[outlook_rows.WRONG], (1 / 0.02, 1 / 0.01), 0.016,
                elapsed, observed,
            )  # fmt: skip
        elif not math.isnan(elapsed):
            observed[:] = 0.0
            own["last"][:] = own["measured"]
        met = met if math.isnan(elapsed) else 0
        outlook_rows.lead_joints(
            own["measured"], observed, caused, newest, min(under_way + met, size), EXACT, trip,
            rows[outlook_rows.FASTEST], led,
        )  # fmt: skip
        assert ring[outlook_rows.MET] == met
        np.testing.assert_allclose(rows[outlook_rows.LED :], led, atol=1e-12)
        np.testing.assert_allclose(
            rows[outlook_rows.OBSERVED : outlook_rows.LED], observed, rtol=1e-12, atol=1e-12
        )
        met, newest = met + 1, (newest + 1) % size
        caused[newest] = rng.normal(size=2)


@pytest.mark.parametrize(
    ("round_trip", "response", "reaction", "soon"),
    [
        (0.0, 0.02, 0.005, 0.005),
        (0.001, 0.02, 0.005, 0.005),
        (0.003, 0.02, 0.012, 0.005),
        (0.01, 0.04, 0.04, 0.01),
    ],
)
def test_limits_respond_no_faster_than_the_delay_bears(round_trip, response, reaction, soon):
    times, of_outlook = np.full(3, math.nan), np.full(outlook_rows.OUTLOOK_TIMES, math.nan)
    paces = np.array([0.02, 0.005])
    assert pace_limits(np.array([round_trip]), paces, times, of_outlook)
    np.testing.assert_allclose(times, [6.0 * response, response, reaction])
    written = [outlook_rows.STEADILY, outlook_rows.SOON_TIME, outlook_rows.ROUND_TRIP]
    np.testing.assert_allclose(of_outlook[written], [2.0 * reaction, soon, round_trip])
    assert np.isnan(np.delete(of_outlook, written)).all()


def test_holding_inside_is_keeping_inside_where_joints_are_led(rng):
    held = 0
    for _ in range(200):
        root = rng.normal(size=(N, N))
        Phi, bias = root @ root.T + 0.1 * np.eye(N), rng.normal(size=N)
        box = np.array([-10.0, 10.0])[:, np.newaxis] * np.ones(N)
        ends = np.array([-1.0, 1.0])[:, np.newaxis] * rng.uniform(0.5, 1.5, N)
        margins, fastest = np.full((2, N), 0.05), rng.uniform(0.5, 2.0, N)
        outlook = rng.uniform(-1.0, 1.0, (outlook_rows.OUTLOOK_ROWS, N))
        led = outlook[outlook_rows.LED :]
        led[outlook_rows.ROOM] = rng.uniform(0.0, 0.3, N)
        bounds = np.vstack([box, ends, np.full(N, math.nan), margins, fastest])
        times = np.array([0.12, 0.02, 0.005])
        effort = rng.normal(scale=8.0, size=N)
        expected, kinds, expected_kinds = effort.copy(), *np.zeros((2, N), dtype=np.int8)
        work = [(np.zeros((SCRATCH_ROWS, N)), np.zeros((2, N, N))) for _ in range(2)]
        caused, ring = np.full((3, N), math.nan), np.array([2, 0])
        is_free = hold_inside(
            effort, bias, Phi, bounds, outlook, times, 1.0, *work[0], kinds, caused, ring
        )
        velocities = led[[outlook_rows.VELOCITY, outlook_rows.SPEED]]
        pushes = outlook[outlook_rows.OBSERVED :][[outlook_rows.STEADY, outlook_rows.SOON]]
        limits = np.vstack([ends, fastest - led[outlook_rows.ROOM]])
        assert is_free is not keep_inside(
            expected, box, bias, Phi, led[outlook_rows.POSITION].copy(), velocities, pushes,
            limits, margins, times, 1.0, *work[1], expected_kinds,
        )  # fmt: skip
        np.testing.assert_allclose(effort, expected, rtol=1e-10, atol=1e-10)
        assert ring[outlook_rows.NEWEST] == 0
        np.testing.assert_allclose(caused[0], Phi @ (expected - bias), atol=1e-9)
        assert np.isnan(caused[1:]).all()
        np.testing.assert_array_equal(kinds, expected_kinds)
        held += not is_free
    assert held > 50
