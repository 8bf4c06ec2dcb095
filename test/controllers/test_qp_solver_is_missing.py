"""Without casadi the configuration says what to install."""

import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.configuration import ConfigurationError
from controlit_ros.controllers import qp_solver
from controlit_ros.nodes.building import load_stack


def test_the_configuration_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(qp_solver, "casadi", None)
    with pytest.raises(ConfigurationError, match=r"casadi >= 3.6: pip install 'controlit\[qpoa"):
        load_stack(REPOSITORY / "config" / "dreamer" / "hands_qp.yaml")
