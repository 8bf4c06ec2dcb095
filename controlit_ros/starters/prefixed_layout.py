"""RViz's layouts for robots whose frames have a prefix."""

import re
import tempfile
from pathlib import Path

from controlit_ros.regular_file import write_text

_FIXED = re.compile(r"^(\s*Fixed Frame: )(\S+)$", re.MULTILINE)
_MODEL = re.compile(r"^(\s*)- Class: rviz_default_plugins/RobotModel$", re.MULTILINE)


def prefixed(layout: Path, prefix: str) -> Path:
    """Return a layout that looks for the frames of a robot with a prefix: a copy where it has one.

    Args:
        layout: For the robot without a prefix.
        prefix: Of its frames; empty: none.
    """
    if not prefix:
        return layout
    text = _FIXED.sub(rf"\g<1>{prefix}\g<2>", layout.read_text("utf-8"))
    text = _MODEL.sub(rf"\g<0>\n\g<1>  TF Prefix: {prefix.rstrip('/')}", text)
    copy = Path(tempfile.mkdtemp(prefix="controlit-rviz-")) / layout.name
    write_text(copy, text)
    return copy
