"""NumberInMemory: who writes the memory need not tell the parameter."""

import math

import numpy as np
import pytest

from controlit_ros.parameters import Access, ParameterError, ParameterReflection


def declared():
    owner = ParameterReflection("Hand")
    return owner.declare_in_memory("error_norm", 0.25, access=Access.OUTPUT)


def test_it_is_a_parameter_like_any_other():
    parameter = declared()
    assert parameter.full_name == "Hand.error_norm"
    assert type(parameter.value) is float
    assert parameter.value == parameter.default == parameter.snapshot() == 0.25
    parameter.value = math.nan
    assert math.isnan(parameter.value)
    with pytest.raises(ParameterError, match="is an output"):
        parameter.set(1.0)


def test_it_moves_with_its_value_and_shows_what_is_written_there():
    parameter, memory = declared(), np.full(3, 7.0)
    parameter.rebind(memory[1:2])
    assert memory.tolist() == [7.0, 0.25, 7.0]
    memory[1] = 0.5
    assert parameter.value == parameter.snapshot() == 0.5
    parameter.value = 0.75
    assert memory.tolist() == [7.0, 0.75, 7.0]
