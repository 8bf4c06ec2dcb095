"""No master can be where a slave cannot: sampled positions are the oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import chain

from controlit_ros.constraints import Coupling, parted, with_coupled_limits

ROBOT = chain(3, ("revolute",) * 4).description()  # -2 to 2.5 rad, 4 rad/s
RATIOS = st.floats(1e-3, 1e3).flatmap(lambda r: st.sampled_from([r, -r]))


@given(ratio=RATIOS, offset=st.floats(-3.0, 3.0), second=RATIOS, master=st.floats(-2.0, 2.5))
def test_a_master_in_its_range_keeps_its_slaves_in_theirs(ratio, offset, second, master):
    couplings = (
        Coupling("joint_1", "joint_2", second),  # of a slave: told before what drives its master
        Coupling("joint_0", "joint_1", ratio, offset),
    )
    robot = with_coupled_limits(ROBOT, couplings)
    first = ratio * master + offset
    last = second * first
    allowed = robot.lower_limits[0] <= master <= robot.upper_limits[0]
    if parted(ROBOT, couplings[1:]):
        return
    slack = 1e-9 * (1.0 + abs(ratio) + abs(second) * (1.0 + abs(ratio)))
    is_inside = -2.0 <= first <= 2.5 and -2.0 <= last <= 2.5
    if is_inside:
        assert robot.lower_limits[0] - slack <= master <= robot.upper_limits[0] + slack
    elif allowed and not parted(robot, couplings):
        assert -2.0 - slack <= first <= 2.5 + slack
        assert -2.0 - slack <= last <= 2.5 + slack


@given(ratio=RATIOS)
def test_a_master_is_no_faster_than_its_slave_bears(ratio):
    robot = with_coupled_limits(ROBOT, [Coupling("joint_0", "joint_1", ratio)])
    assert robot.velocity_limits[0] == pytest.approx(min(4.0, 4.0 / abs(ratio)))


def test_others_and_the_robot_itself_keep_their_limits():
    robot = with_coupled_limits(ROBOT, [Coupling("joint_0", "joint_1", 4.0)])
    assert np.array_equal(robot.lower_limits[1:], ROBOT.lower_limits[1:])
    assert ROBOT.upper_limits[0] == 2.5
    assert robot.upper_limits[0] == 0.625


def test_ranges_with_nothing_in_common_are_told():
    coupling = Coupling("joint_0", "joint_1", 0.1, 5.0)
    robot = with_coupled_limits(ROBOT, [coupling])
    assert np.array_equal(robot.upper_limits, ROBOT.upper_limits)
    assert parted(ROBOT, [coupling, Coupling("joint_2", "joint_3", 1.0)]) == (coupling,)
