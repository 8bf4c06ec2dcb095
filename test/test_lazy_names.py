"""Rooms give their names when they are asked for, and cost nothing before."""

import subprocess
import sys

import pytest

from controlit_ros import bindings, configuration, model
from controlit_ros.bindings import names as bindings_names

HEAVY = ("numba", "pydantic", "controlit_ros.servo", "controlit_ros.kernels")


@pytest.mark.processes
@pytest.mark.parametrize(
    "module", ["controlit_ros.client.names", "controlit_ros.bindings.conversion"]
)
def test_clients_load_no_servo(module):
    code = f"import sys, {module}; print(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_names_and_modules_are_found():
    assert bindings.Binding is bindings_names.Binding
    assert model.WORLD == "world"
    assert configuration.yaml_reader.__name__ == "controlit_ros.configuration.yaml_reader"


@pytest.mark.parametrize("name", ["Bindings", "__path_of__", "nothing"])
def test_what_is_not_there_is_told(name):
    with pytest.raises(AttributeError, match=name):
        getattr(bindings, name)
