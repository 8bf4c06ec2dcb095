"""A quadratic program of ours beside those of other libraries: Talos stands, by fifteen tasks."""

import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from controlit_bench.cycle import TimedCycle
from controlit_bench.peers import Peer, PeerError, peers_folder, python_of, running, without_meshes
from controlit_bench.problems import example_robot, stack_of
from controlit_bench.programs import (
    FREQUENCY,
    FRICTION,
    HALF_SITTING,
    HALF_SIZE,
    OFF,
    PERIOD,
    SOLES,
    SWAY,
    TALOS,
    TASKS,
    WEIGHTS,
    by_law,
    lead_away,
    phases,
    swaying,
    talos_content,
)
from controlit_bench.section import Section
from controlit_bench.timing import Quantiles, best, interleaved, one_processor
from controlit_ros.errors import ControlItError

PEERS = {"tsid": "standing_tsid", "placo": "standing_placo"}
"""Script of each library."""
KP, KD = 64.0, 16.0


def measure_standing(*, quick: bool, folder: Path | None = None) -> Section:
    """Measure every peer that is installed, in turns with our cycle.

    Args:
        quick: Few turns, no peers.
        folder: Where their environments are; see `peers_folder`.
    """
    columns = ("goals", "library", "best turn [µs]", "p50 [µs]", "ours/theirs [-]")
    title = (
        "Talos on two feet, 15 weighted tasks, friction, limits of effort: state in, efforts out"
    )
    try:
        original = example_robot(TALOS)
    except ControlItError as error:
        return Section("standing", title, columns, (), (f"not installed: {error}",))
    rows: list[tuple[object, ...]] = []
    remarks: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        urdf = Path(name, "talos.urdf")
        urdf.write_text(without_meshes(original.read_text(encoding="utf-8")), encoding="utf-8")
        for goals, off in OFF.items():
            times, failed = _times(
                urdf, off, Path(name), {} if quick else PEERS, peers_folder(folder)
            )
            remarks += [f"{goals}: {remark}" for remark in failed]
            least = best(times)
            rows += [
                (
                    goals,
                    library,
                    1e6 * least[library],
                    1e6 * Quantiles.of(turns).p50,
                    least["controlit"] / least[library],
                )
                for library, turns in times.items()
            ]
    return Section("standing", title, columns, tuple(rows), tuple(remarks))


def _times(
    urdf: Path, off: float, folder: Path, scripts: Mapping[str, str], place: Path
) -> tuple[dict[str, list[float]], list[str]]:
    """Return the time of a call in each turn [s], by library, and who is missing."""
    remarks = []
    cycle = TimedCycle(stack_of(by_law(talos_content(urdf), "Weighted"), folder))
    lead_away(cycle, off)
    ours = {"controlit": swaying(cycle)}
    times: dict[str, list[float]] = {}
    with one_processor(), ExitStack() as stack:
        peers = {}
        for library, script in scripts.items():
            python = python_of(place / library)
            if not python.exists():
                remarks.append(
                    f"{library}: not installed: run `controlit bench standing --install-peers`"
                )
                continue
            try:
                peer = Peer(script, python, _problem(urdf, cycle, off))
                peers[library] = stack.enter_context(running(peer))
            except PeerError as error:
                remarks.append(f"{library}: {error}")
        for _ in range(200 if scripts else 5):
            times.setdefault("controlit", []).extend(
                interleaved(ours, rounds=1, calls=10)["controlit"]
            )
            for library, peer in peers.items():
                times.setdefault(library, []).append(peer.turn(10))
    return times, remarks


def _problem(urdf: Path, cycle: TimedCycle, off: float) -> dict[str, Any]:
    """Return the problem of our cycle, as a peer is told it."""
    names = list(cycle.state.joint_names)
    highest = max(priority for _, _, priority, _ in TASKS)
    return {
        "urdf": str(urdf),
        "joints": names,
        "posture": HALF_SITTING,
        "phases": np.asarray(phases(len(names))).tolist(),
        "sway": SWAY,
        "frequency": FREQUENCY,
        "period": PERIOD,
        "soles": SOLES,
        "half_size": HALF_SIZE,
        "friction": FRICTION,
        "regularisation": WEIGHTS["regularisation"],
        "kp": KP,
        "kd": KD,
        "off": off,
        "tasks": {
            name: {
                "type": kind,
                "weight": WEIGHTS["level_weight"] ** (priority - highest),
                **given,
            }
            for name, kind, priority, given in TASKS
        },
    }
