"""Joints of transmissions of which some are given determine the others, or contradict."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tries import tries

from controlit_ros.constraints import Coupling
from controlit_ros.constraints.coupled_state import (
    TOLERANCE,
    CoupledStateError,
    complete_state,
    follow_masters,
)

RATIOS = st.sampled_from((-2.0, -1.0, -0.5, 0.5, 1.0, 3.0))
NUMBERS = st.floats(-1.0, 1.0).map(lambda x: round(x, 4))


@st.composite
def trees(draw):
    """Draw joints of which each but the first follows one before, with their true values."""
    names = [f"j{i}" for i in range(draw(st.integers(2, 6)))]
    values = {"j0": draw(NUMBERS)}
    couplings = []
    for i, slave in enumerate(names[1:], start=1):
        master = names[draw(st.integers(0, i - 1))]
        ratio, offset = draw(RATIOS), draw(NUMBERS)
        couplings.append(Coupling(master, slave, ratio, offset))
        values[slave] = ratio * values[master] + offset
    return values, draw(st.permutations(couplings))


@settings(max_examples=tries(100))
@given(tree=trees(), data=st.data())
def test_any_given_joint_determines_all_that_are_coupled(tree, data):
    values, couplings = tree
    names = data.draw(st.sets(st.sampled_from(sorted(values)), min_size=1))
    found = complete_state({name: values[name] for name in names}, couplings)
    assert found == pytest.approx(values, abs=1e-9)


@settings(max_examples=tries(100))
@given(tree=trees(), data=st.data())
def test_a_contradiction_names_both_joints(tree, data):
    values, couplings = tree
    first, second = data.draw(st.permutations(sorted(values)))[:2]
    wrong = values[second] + 0.5
    with pytest.raises(CoupledStateError) as caught:
        complete_state({first: values[first], second: wrong}, couplings)
    assert repr(first) in str(caught.value)
    assert repr(second) in str(caught.value)


@settings(max_examples=tries(50))
@given(tree=trees())
def test_numbers_that_files_round_agree(tree):
    values, couplings = tree
    rounded = {name: round(value, 3) for name, value in values.items()}
    assume(max(abs(values[n] - rounded[n]) for n in values) < TOLERANCE)
    found = complete_state(rounded, couplings)
    for master, slave, ratio, offset in couplings:
        assert found[slave] == pytest.approx(ratio * found[master] + offset, abs=1e-12)


def test_a_slave_with_the_ratio_0_says_nothing_of_its_master():
    couplings = [Coupling("a", "b", 0.0, 0.3)]
    assert complete_state({"b": 0.3, "c": 1.0}, couplings) == {"b": 0.3, "c": 1.0}
    assert complete_state({"a": 2.0}, couplings) == {"a": 2.0, "b": 0.3}
    with pytest.raises(CoupledStateError, match=r"'b' at 0\.5 and 'a'"):
        complete_state({"b": 0.5}, couplings)


def test_slaves_follow_along_chains_in_any_order():
    couplings = [Coupling("b", "c", 2.0, 0.1), Coupling("a", "b", -1.0, 0.0)]
    values = np.array([0.5, 9.0, 9.0])
    follow_masters(values, ("a", "b", "c"), couplings)
    assert values == pytest.approx([0.5, -0.5, -0.9])
