"""Arrays that stay where they are, as a row of numbers."""

import numpy as np
import pytest

from controlit_ros.introspection.gathering import Gathering
from controlit_ros.introspection.parameter_row import ParameterRow, changing
from controlit_ros.parameters import Access, ParameterReflection


class Owner(ParameterReflection):
    """Something with parameters of every kind that fits into a row."""

    def __init__(self):
        super().__init__("owner")
        self.vector = self.declare("vector", np.zeros(3), shape=(3,))
        self.matrix = self.declare("matrix", np.zeros((2, 2)), shape=(2, 2))
        self.count = self.declare("count", 4)
        self.number = self.declare("number", 5.0)
        self.switch = self.declare("switch", True)
        self.choice = self.declare("choice", "b", choices=("a", "b", "c"))
        self.result = self.declare("result", np.zeros(2), shape=(2,), access=Access.OUTPUT)


def test_arrays_of_any_shape_stand_one_after_the_other(rng):
    arrays = [rng.normal(size=shape) for shape in ((3,), (2, 4), (0,), (1, 1, 5), (0, 3))]
    gathering = Gathering(lambda: arrays)
    row = np.full(16, np.nan)
    assert gathering.width == 16
    for _ in range(3):
        for array in arrays:
            array[...] = rng.normal(size=array.shape)
        gathering.fill(row)
        np.testing.assert_array_equal(row, np.concatenate([a.ravel() for a in arrays]))


def test_nothing_is_gathered_from_nothing():
    gathering = Gathering(list)
    gathering.fill(np.zeros(0))
    assert gathering.width == 0


@pytest.mark.parametrize("array", [np.zeros(4)[::2], np.zeros((2, 3)).T])
def test_what_is_in_pieces_is_refused(array):
    with pytest.raises(TypeError, match="array"):
        Gathering(lambda: [array])


def test_a_row_tells_every_kind_of_parameter(rng):
    owner = Owner()
    parameters = changing([owner])
    row = ParameterRow(parameters)
    numbers = np.full(row.width, np.nan)
    for _ in range(20):
        owner.vector.assign(rng.normal(size=3))
        owner.matrix.assign(rng.normal(size=(2, 2)))
        owner.count.assign(int(rng.integers(-9, 9)))
        owner.number.assign(rng.normal())
        owner.switch.assign(bool(rng.random() < 0.5))
        owner.choice.assign(str(rng.choice(["a", "b", "c"])))
        owner.result.value[:] = rng.normal(size=2)
        row.fill(numbers)
        for parameter, found in zip(parameters, row.values(numbers), strict=True):
            np.testing.assert_array_equal(found, parameter.value)
            assert isinstance(found, np.ndarray) == parameter.is_array


def test_a_row_follows_parameters_that_move(rng):
    owner = Owner()
    parameters = changing([owner])
    row = ParameterRow(parameters)
    memory = rng.normal(size=4)
    owner.matrix.rebind(memory)
    memory[:] = rng.normal(size=4)
    numbers = np.zeros(row.width)
    row.fill(numbers)
    found = dict(zip([p.name for p in parameters], row.values(numbers), strict=True))
    np.testing.assert_array_equal(found["matrix"], memory.reshape(2, 2))
