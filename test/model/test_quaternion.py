"""Axioms of the rotation group, and Pinocchio as an independent opinion."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from controlit_ros.model import quaternion

components = st.floats(-1.0, 1.0, allow_nan=False)
vectors = arrays(np.float64, 3, elements=components)
IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


@st.composite
def unit_quaternions(draw):
    q = draw(arrays(np.float64, 4, elements=components))
    length = np.linalg.norm(q)
    assume(length > 1e-3)
    return q / length


def matrix(q):
    return pin.Quaternion(q.copy()).toRotationMatrix()


@given(unit_quaternions())
def test_orders_round_trip(q):
    wxyz = quaternion.wxyz_from_xyzw(q)
    assert wxyz[0] == q[3]
    np.testing.assert_array_equal(quaternion.xyzw_from_wxyz(wxyz), q)


@given(unit_quaternions(), unit_quaternions(), unit_quaternions())
def test_product_is_associative(a, b, c):
    left = quaternion.multiply(quaternion.multiply(a, b), c)
    right = quaternion.multiply(a, quaternion.multiply(b, c))
    np.testing.assert_allclose(left, right, atol=1e-14)


@given(unit_quaternions())
def test_identity_and_inverse(q):
    np.testing.assert_array_equal(quaternion.multiply(q, IDENTITY), q)
    np.testing.assert_array_equal(quaternion.multiply(IDENTITY, q), q)
    np.testing.assert_allclose(
        quaternion.multiply(q, quaternion.conjugate(q)), IDENTITY, atol=1e-14
    )


@given(unit_quaternions(), unit_quaternions())
def test_product_is_the_product_of_matrices(a, b):
    np.testing.assert_allclose(matrix(quaternion.multiply(a, b)), matrix(a) @ matrix(b), atol=1e-13)


@given(unit_quaternions(), vectors)
def test_rotation_of_a_vector(q, vector):
    np.testing.assert_allclose(quaternion.rotate(q, vector), matrix(q) @ vector, atol=1e-13)


@given(unit_quaternions())
def test_log_inverts_the_exponential(q):
    rotation = quaternion.log(q)
    assert np.linalg.norm(rotation) <= np.pi + 1e-12
    np.testing.assert_allclose(pin.exp3(rotation), matrix(q), atol=1e-12)


@given(unit_quaternions())
def test_log_ignores_sign_and_length(q):
    assume(abs(q[3]) > 1e-9)  # at half a turn both ways round are shortest
    np.testing.assert_array_equal(quaternion.log(-q), quaternion.log(q))
    np.testing.assert_allclose(quaternion.log(1.7 * q), quaternion.log(q), rtol=1e-12, atol=1e-300)


@given(unit_quaternions(), unit_quaternions())
def test_rotation_vector_carries_current_onto_goal(current, goal):
    turn = pin.exp3(quaternion.rotation_vector(current, goal))
    np.testing.assert_allclose(turn @ matrix(current), matrix(goal), atol=1e-12)


@given(unit_quaternions(), unit_quaternions())
def test_rotation_vector_is_antisymmetric(current, goal):
    assume(abs(current @ goal) > 1e-9)
    there = quaternion.rotation_vector(current, goal)
    back = quaternion.rotation_vector(goal, current)
    np.testing.assert_allclose(back, -there, atol=1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-160, 1e-12, 1e-6, 1.0, 3.0, np.pi - 1e-9])
def test_log_is_accurate_at_every_angle(angle):
    q = np.array([0.0, np.sin(angle / 2), 0.0, np.cos(angle / 2)])
    np.testing.assert_allclose(quaternion.log(q), [0.0, angle, 0.0], rtol=1e-12)


@given(unit_quaternions(), unit_quaternions(), vectors)
def test_out_may_be_an_input(a, b, vector):
    for function in (quaternion.conjugate, quaternion.wxyz_from_xyzw, quaternion.xyzw_from_wxyz):
        expected = function(a)
        inout = a.copy()
        assert function(inout, out=inout) is inout
        np.testing.assert_array_equal(inout, expected)
    expected = quaternion.multiply(a, b)
    inout = a.copy()
    np.testing.assert_array_equal(quaternion.multiply(inout, b, out=inout), expected)
    inout = vector.copy()
    np.testing.assert_array_equal(
        quaternion.rotate(a, inout, out=inout), quaternion.rotate(a, vector)
    )
