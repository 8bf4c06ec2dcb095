"""Seen: what the page shows at one moment."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from controlit_console.feed import Note
from controlit_console.joint_row import JointRow
from controlit_console.parts import PartsSeen
from controlit_ros.explanations.explanation import Explanation


class ImuSeen(NamedTuple):
    """What an inertial unit measures, in its own frame.

    Attributes:
        rate: `(3,)` with which it turns [rad/s].
        force: `(3,)` acceleration less gravity [m/s²].
    """

    rate: tuple[float, ...]
    force: tuple[float, ...]


class DiagnosisSeen(NamedTuple):
    """A status of `/diagnostics`.

    Attributes:
        name: Of what.
        level: `ok`, `warning`, `error` or `stale`.
        message: In words.
        values: Names and values.
    """

    name: str
    level: str
    message: str
    values: tuple[tuple[str, str], ...]


class Seen(NamedTuple):
    """A moment of a controller.

    Attributes:
        time: When, of any origin [s].
        name: Of the controller; empty while there is none.
        state: `active`, `safe`, ...; `lost` while there is none.
        complaint: Why there is none, or why it was lost; empty otherwise.
        parts: What it has.
        joints: All joints.
        frequency: Of the servo [Hz].
        round_trip: From a command to the measurement that reflects it [s].
        latency: Duration of each part of a cycle by name [s].
        explanation: What holds tasks back, as far as it was told.
        notes: Errors, warnings, events, the newest last.
        numbers: Everything that can be plotted at once, by name.
        imu: Its inertial unit; `None` where none is told of.
        diagnoses: What it tells on `/diagnostics`.
    """

    time: float = 0.0
    name: str = ""
    state: str = "lost"
    complaint: str = ""
    parts: PartsSeen = PartsSeen()
    joints: tuple[JointRow, ...] = ()
    frequency: float = float("nan")
    round_trip: float = float("nan")
    latency: Mapping[str, float] = {}
    explanation: Explanation | None = None
    notes: Sequence[Note] = ()
    numbers: Mapping[str, float] = {}
    imu: ImuSeen | None = None
    diagnoses: tuple[DiagnosisSeen, ...] = ()


NOTHING = Seen()
