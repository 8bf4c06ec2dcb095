"""Coactuation: one row for each slave, ratios, and what is refused."""

import numpy as np
import pytest
from robots_for_tests import configured, random_state, updated

from controlit_ros.constraints import Coupling
from controlit_ros.constraints.coactuation import Coactuation
from controlit_ros.parameters import ParameterError

MASTER = "torso_lower_pitch"


def transmission(description, **parameters):
    parameters.setdefault("master", MASTER)
    return configured(Coactuation("torso", description), **parameters)


def check_rows(constraint, description, rng, expected):
    model = updated(description, random_state(description, rng))
    jacobian = np.full((constraint.dimension, description.nv), np.nan)
    bias = np.full(constraint.dimension, np.nan)
    constraint.update(model, jacobian, bias)
    velocity = dict(zip(description.real_joints, model.state.velocity, strict=True))
    np.testing.assert_array_equal(bias, 0.0)
    assert len(jacobian) == len(expected)
    for row, (slave, ratio) in zip(jacobian, expected, strict=True):
        assert row @ model.v == pytest.approx(velocity[slave] - ratio * velocity[MASTER])
        assert np.count_nonzero(row) == 2


def test_one_slave(dreamer_description, rng):
    constraint = transmission(dreamer_description, slave="torso_upper_pitch")
    check_rows(constraint, dreamer_description, rng, [("torso_upper_pitch", 1.0)])
    assert constraint.couplings == (Coupling(MASTER, "torso_upper_pitch", 1.0),)


def test_several_slaves_with_one_ratio_or_one_each(dreamer_description, rng):
    slaves = ["torso_upper_pitch", "left_elbow", "right_elbow"]
    one = transmission(dreamer_description, slave=slaves, ratio=-2.0)
    check_rows(one, dreamer_description, rng, [(slave, -2.0) for slave in slaves])
    each = transmission(dreamer_description, slave=slaves, ratio=[1.0, -0.5, 3.0])
    expected = list(zip(slaves, [1.0, -0.5, 3.0], strict=True))
    check_rows(each, dreamer_description, rng, expected)
    assert each.couplings == tuple(Coupling(MASTER, slave, ratio) for slave, ratio in expected)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"slave": []}, r"torso\.slave: found none, expected at least one joint"),
        ({"slave": ["left_elbow"], "ratio": [1.0, 2.0]}, r"torso\.ratio: found 2 ratios for 1"),
        ({"slave": ["left_elbow"], "ratio": []}, r"torso\.ratio: found 0 ratios for 1"),
        ({"slave": ["left_elbwo"]}, r"torso\.slave: unknown joint 'left_elbwo'.*left_elbow"),
        ({"slave": ["left_elbow"], "master": "torso"}, r"torso\.master: unknown joint 'torso'"),
        ({"slave": [MASTER]}, r"torso\.slave: 'torso_lower_pitch' is the master"),
        ({"slave": ["left_elbow", "left_elbow"]}, r"torso\.slave: 'left_elbow' stands twice"),
    ],
)
def test_what_does_not_fit_is_refused(parameters, message, dreamer_description):
    with pytest.raises(ParameterError, match=message):
        transmission(dreamer_description, **parameters)
