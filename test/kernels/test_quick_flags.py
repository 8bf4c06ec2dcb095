"""Flags are compared as numba does, by what they mean, however much of it is set."""

from itertools import product

import numpy as np
from numba.core.compiler import Flags

from controlit_ros.kernels.late_code import LateDispatcher
from controlit_ros.kernels.quick_flags import flags_compared_quickly


def made(**options):
    flags = Flags()
    for name, value in options.items():
        setattr(flags, name, value)
    return flags


FLAGS = (
    made(),
    made(nrt=False),  # the default, said
    made(nrt=True),
    made(nrt=True, fastmath=True),
    made(nrt=True, fastmath={"reassoc", "contract"}),
    made(fastmath={"contract", "reassoc"}, nrt=True),
    made(error_model="numpy", boundscheck=True),
)


def compared():
    return [(one == other, hash(one) == hash(other)) for one, other in product(FLAGS, FLAGS)]


def test_they_compare_as_by_numba():
    expected = compared()
    with flags_compared_quickly():
        assert compared() == expected
        assert made() != 1
    assert {equal for equal, _ in expected} == {True, False}


def test_numba_compares_by_itself_afterwards():
    before = Flags.__eq__, Flags.__hash__
    with flags_compared_quickly():
        assert (Flags.__eq__, Flags.__hash__) != before
    assert (Flags.__eq__, Flags.__hash__) == before


def test_kernels_are_compiled_so(monkeypatch):
    asked = []
    quick = "controlit_ros.kernels.quick_flags._hash"
    monkeypatch.setattr(quick, lambda flags: asked.append(flags) or 1)

    @LateDispatcher
    def summed(x):
        return x[0] + x[1]

    assert summed(np.ones(2)) == 2.0
    assert asked
