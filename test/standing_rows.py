"""What a standing row tells."""

import numpy as np


def told(row):
    """Return the numbers of a row, `(width,)`, as a sampler would copy them."""
    row.prepare()
    numbers = np.concatenate([array.ravel() for array in row.arrays()])
    assert numbers.shape == (row.width,)
    return numbers
