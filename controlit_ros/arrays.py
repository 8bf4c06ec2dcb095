"""Types of arrays."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Octets = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
