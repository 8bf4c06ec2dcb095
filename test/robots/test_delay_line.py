import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.robots.delay_line import DelayLine


@given(st.integers(0, 20), st.integers(1, 4))
def test_what_goes_in_comes_out_after_so_many_steps(steps, size):
    line = DelayLine(steps, size)
    line.fill(np.full(size, -1.0))
    for step in range(60):
        out = line.push(np.full(size, float(step)))
        expected = step - steps if step >= steps else -1.0
        np.testing.assert_array_equal(out, np.full(size, expected))
