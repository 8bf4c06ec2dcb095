"""The gate: what holds, what breaks, and that kernels and specification do the same work."""

import math

import numpy as np
import pytest

from controlit_bench.cycle import TimedCycle
from controlit_bench.gate import LIMITS, GateResult, Limit, gate_section, measure_gate
from controlit_bench.problems import dreamer_content, generated_robot, robot_content
from controlit_bench.problems import stack_of as build


@pytest.mark.parametrize(
    ("fast", "specified", "holds"),
    [(1.0, 10.0, True), (2.0, 10.0, True), (2.1, 10.0, False), (math.nan, 10.0, False)],
)
def test_a_limit_is_a_ratio(fast, specified, holds):
    assert GateResult(Limit("x", 0.2), fast, specified).holds is holds


def test_no_absolute_time_decides():
    verdicts = [GateResult(Limit("x", 0.5), 0.4 * scale, scale) for scale in (1e-9, 1e-3, 1e3)]
    assert all(verdict.holds for verdict in verdicts)


def test_the_table_names_what_broke():
    section = gate_section(
        [GateResult(Limit("good", 0.5), 1.0, 4.0), GateResult(Limit("bad", 0.5), 3.0, 4.0)]
    )
    assert [(row[0], row[-1]) for row in section.rows] == [("good", "ok"), ("bad", "TOO SLOW")]


def test_every_limit_is_measured():
    verdicts = measure_gate(rounds=1, calls=1)
    assert [verdict.limit for verdict in verdicts] == list(LIMITS)
    assert all(verdict.ratio > 0.0 for verdict in verdicts)


@pytest.mark.parametrize("levels", [2, 3, 5])
@pytest.mark.parametrize("orientation", ["2D", "3D"])
def test_both_sides_give_the_same_effort(tmp_path, levels, orientation):
    cycle = TimedCycle(build(dreamer_content(levels, orientation), tmp_path))
    expected = cycle.specified()
    cycle.compute()
    scale = np.abs(expected).max()
    np.testing.assert_allclose(cycle.command.effort / scale, expected / scale, atol=1e-9)


def test_a_generated_robot_has_the_joints_and_tasks_asked_for(tmp_path):
    urdf = tmp_path / "tree.urdf"
    urdf.write_text(generated_robot(10))
    cycle = TimedCycle(build(robot_content(urdf, "base_link", ["link_10", "link_4"]), tmp_path))
    assert len(cycle.stack.robot.real_joints) == 10
    assert len(cycle.stack.tasks.tasks) == 3
    cycle.compute()
    assert np.isfinite(cycle.command.effort).all()
