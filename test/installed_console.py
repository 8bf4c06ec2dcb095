"""Where the console command under test is installed."""

import os
import sys
from pathlib import Path


def installed_console() -> str:
    """Return the path of `controlit`: pip puts it beside the interpreter, colcon into libexec."""
    places = [Path(sys.executable).parent]
    prefixes = filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep))
    places += [Path(prefix) / "lib" / "controlit" for prefix in prefixes]
    found = [place / "controlit" for place in places if (place / "controlit").exists()]
    assert found, f"no console command controlit in {', '.join(map(str, places))}"
    return str(found[0])
