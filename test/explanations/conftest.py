"""An arm in a plane and what a controller of it may come to."""

import pytest
from explained import Arm


@pytest.fixture
def arm(tmp_path):
    """A planar arm of three joints that is bolted to the world, see `explained`."""
    return Arm(tmp_path)
