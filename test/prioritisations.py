"""Every prioritisation that is installed, for tests of what holds for each."""

from importlib.metadata import entry_points

import pytest

GROUP = entry_points(group="controlit.prioritisations")
each_prioritisation = pytest.mark.parametrize(
    "prioritisation", [pytest.param(GROUP[name].load(), id=name) for name in sorted(GROUP.names)]
)
