"""Previews as they come in messages."""

from typing import Any

import numpy as np

from controlit_ros.client.explanations import explanation_of
from controlit_ros.explanations.preview import Preview, PreviewedLevel

PREVIEW = "diagnostics/previewParameters"
"""Service that previews, below a controller's name."""


def preview_of(answer: Any) -> Preview:
    """Return what a `controlit/srv/PreviewParameters` answers."""
    levels = zip(answer.priorities, answer.rows, answer.directions, strict=True)
    return Preview(
        explanation_of(answer.explanation),
        tuple(str(name) for name in answer.joints),
        np.array(answer.effort_now, dtype=float),
        np.array(answer.effort, dtype=float),
        tuple(PreviewedLevel(*(int(number) for number in level)) for level in levels),
    )
