"""Who waits for the compilation of kernels is told why, once."""

import numba

from controlit_ros.kernels.compile import COMPILING_NOTICE, told_of_compilation


def test_only_what_is_compiled_within_is_told_and_once():
    told = []
    first, second, third = (numba.njit(lambda x: x + 1.0) for _ in range(3))
    with told_of_compilation(told.append):
        assert told == []
        assert (first(1.0), second(1.0)) == (2.0, 2.0)
        assert told == [COMPILING_NOTICE]
    third(1.0)
    with told_of_compilation(told.append):
        third(2.0)
    assert told == [COMPILING_NOTICE]
