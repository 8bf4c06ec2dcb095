"""Parameters as a row of numbers."""

import numpy as np
from standing_rows import told

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


def test_a_row_tells_every_kind_of_parameter(rng):
    owner = Owner()
    parameters = changing([owner])
    row = ParameterRow(parameters)
    for _ in range(20):
        owner.vector.assign(rng.normal(size=3))
        owner.matrix.assign(rng.normal(size=(2, 2)))
        owner.count.assign(int(rng.integers(-9, 9)))
        owner.number.assign(rng.normal())
        owner.switch.assign(bool(rng.random() < 0.5))
        owner.choice.assign(str(rng.choice(["a", "b", "c"])))
        owner.result.value[:] = rng.normal(size=2)
        for parameter, found in zip(parameters, row.values(told(row)), strict=True):
            np.testing.assert_array_equal(found, parameter.value)
            assert isinstance(found, np.ndarray) == parameter.is_array


def test_a_row_follows_parameters_that_move(rng):
    owner = Owner()
    parameters = changing([owner])
    row = ParameterRow(parameters)
    memory = rng.normal(size=4)
    owner.matrix.rebind(memory)
    memory[:] = rng.normal(size=4)
    found = dict(zip([p.name for p in parameters], row.values(told(row)), strict=True))
    np.testing.assert_array_equal(found["matrix"], memory.reshape(2, 2))
