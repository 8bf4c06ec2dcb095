"""Packages made elsewhere that bring message types of their own."""

import logging
from importlib.util import find_spec
from pathlib import Path

from controlit_ros.installed import plugins

GROUP = "controlit.messages"
"""Group of entry points: name of a message package to a Python package whose folder holds `msg`,
`srv` or `action`, as that of a ROS 2 package does."""

logger = logging.getLogger(__name__)


def message_packages() -> dict[str, Path]:
    """Return the folder of each message package by name; what cannot be found is told in the log.

    Only folders are looked for: no package is imported.
    """
    found = {}
    for name, entry in plugins(GROUP).items():
        try:
            spec = find_spec(entry.module)
        except ImportError:
            spec = None
        if spec is None or not spec.submodule_search_locations:
            logger.warning("messages of %s: there is no package %s", name, entry.value)
            continue
        found[name] = Path(next(iter(spec.submodule_search_locations)))
    return found
