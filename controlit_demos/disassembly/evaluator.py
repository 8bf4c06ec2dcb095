"""DisassemblyEvaluator: are tube and valve where they belong? The simulation itself tells."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from controlit_demos.disassembly.placement import Placement
from controlit_demos.disassembly.scene_view import SceneView
from controlit_demos.disassembly.states import HEAD, LEFT_AWAY
from controlit_demos.running.evaluator import Evaluation
from controlit_ros.arrays import Array
from controlit_ros.model import quaternion
from controlit_ros.recording.series import Series

TUBE, VALVE = "tube", "valve"
HEAD_MIDDLE = np.array([0.0, HEAD, 0.0])  # [m] of the valve, in its frame
AXIS = np.array([0.0, 1.0, 0.0])  # of tubes and stands, in their frames
SEPARATED = 0.05  # [m] further apart than at the start: the plug, 30 mm long, is out
IN_PLACE = 0.015  # [m] a stored tube, or a valve in the hand, from where it belongs
UPRIGHT = np.radians(5.0)  # [rad] a stored tube from the direction of its stand
LIFTED = 0.02  # [m] that the tube must have been off its stand
LOWEST = 0.94  # [m] where something lies that was dropped on the table; the floor is lower
AT_REST = 0.002  # [m] of movement over the last second


class _Sight(NamedTuple):
    """Poses over time: times `(n,)`, tube and valve `(n, 7)`."""

    times: Array
    tube: Array
    valve: Array


class DisassemblyEvaluator:
    """Follows tube and valve; a controller never sees what it sees.

    Args:
        view: Of the scene.
        placement: Where things truly begin, and where they belong.
    """

    def __init__(self, view: SceneView, placement: Placement) -> None:
        self._view = view
        self._placement = placement
        self._poses = Series(14)

    def look(self, elapsed: float) -> None:
        """Take note of where tube and valve are."""
        poses = self._view.read()
        if poses is not None:
            self._poses.append(elapsed, np.concatenate([poses[TUBE], poses[VALVE]]))

    def verdict(self) -> Evaluation:
        """Judge the way and the end of tube and valve."""
        times, values = self._poses.track()
        if not len(times):
            return Evaluation({}, ("nothing was seen of tube and valve",))
        sight = _Sight(times, values[:, :7], values[:, 7:])
        findings = _findings(sight, self._placement)
        return Evaluation(findings, tuple(_problems(sight, findings, self._placement)))

    def close(self) -> None:
        """Stop looking."""
        self._view.close()


def _findings(sight: _Sight, placement: Placement) -> dict[str, float]:
    """Return the figures that decide."""
    store = placement.store
    tube, valve = sight.tube[-1], sight.valve[-1]
    apart = np.linalg.norm(sight.valve[:, :3] - sight.tube[:, :3], axis=1)
    head = valve[:3] + _turned(valve[3:], HEAD_MIDDLE)
    straight = _turned(tube[3:], AXIS) @ _turned(np.array(store.orientation), AXIS)
    return {
        "valve and tube apart [m]": float(apart[-1]),
        "valve pulled off by [m]": float(apart[-1] - apart[0]),
        "valve from the left gripper [m]": float(np.linalg.norm(head - LEFT_AWAY)),
        "tube lifted by [m]": float(sight.tube[:, 2].max() - sight.tube[0, 2]),
        "tube carried [m]": float(np.linalg.norm(tube[:3] - sight.tube[0, :3])),
        "tube from its store [m]": float(np.linalg.norm(tube[:3] - store.position)),
        "tube askew [°]": float(np.degrees(np.arccos(np.clip(straight, -1.0, 1.0)))),
        "lowest point of either [m]": float(min(sight.tube[:, 2].min(), sight.valve[:, 2].min())),
    }


def _problems(sight: _Sight, findings: Mapping[str, float], placement: Placement) -> list[str]:
    start = placement.tube.position
    last = sight.times > sight.times[-1] - 1.0
    moved = float(np.ptp(sight.tube[last, :3], axis=0).max())
    checks = (
        (
            np.linalg.norm(sight.tube[0, :3] - start) < IN_PLACE,
            "the tube did not begin in its stand",
        ),
        (findings["valve pulled off by [m]"] > SEPARATED, "the valve is still in the tube"),
        (findings["valve from the left gripper [m]"] < IN_PLACE, "the left hand lost the valve"),
        (findings["tube lifted by [m]"] > LIFTED, "the tube was never lifted off its stand"),
        (findings["tube from its store [m]"] < IN_PLACE, "the tube is not in its store"),
        (np.radians(findings["tube askew [°]"]) < UPRIGHT, "the tube lies askew"),
        (findings["lowest point of either [m]"] > LOWEST, "something was dropped"),
        (moved < AT_REST, "the tube does not rest"),
    )
    return [text for holds, text in checks if not holds]


def _turned(orientation: Array, vector: Array) -> Array:
    """Return a vector `(3,)` turned by a quaternion xyzw."""
    result: Array = np.zeros(3)
    quaternion.rotate(np.ascontiguousarray(orientation), vector, out=result)
    return result
