"""The libraries that solvers of quadratic programs need."""

from importlib.util import find_spec

import pytest

LIBRARIES = {"DAQP": "daqp", "ProxQP": "proxsuite", "QuadProg": "quadprog", "qpOASES": "casadi"}


def skip_without(solver):
    """Skip a test where the library of a solver is missing; that of a plugin brings its own.

    Nothing is imported: proxsuite changes the environment.
    """
    library = LIBRARIES.get(solver)
    if library is not None and find_spec(library) is None:
        pytest.skip(f"{solver} is not installed")
