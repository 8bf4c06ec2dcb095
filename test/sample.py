"""Sample of slow tests: `--every 5` runs the first of five cases of each, and none for releases.

`make test` takes such a sample, `make test-all` every case. A prime number samples all values of
each parameter where a test has several parameters.
"""

from collections import Counter

import pytest

SLOW = ("simulation", "thorough")
RELEASE = "release"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption(
        "--every", type=int, default=1, help=f"run one case in EVERY of tests marked {SLOW}"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the cases between."""
    every, places = config.getoption("every"), Counter()
    kept, dropped = [], []
    for item in items:
        test = item.nodeid.partition("[")[0]
        is_slow = any(item.get_closest_marker(mark) for mark in SLOW)
        is_between = is_slow and places[test] % every > 0
        is_for_releases = every > 1 and item.get_closest_marker(RELEASE) is not None
        (dropped if is_between or is_for_releases else kept).append(item)
        places[test] += 1
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept
