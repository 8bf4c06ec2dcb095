"""Our cycle beside that of other libraries: same robot, same state, same goals, in turns."""

import json
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from controlit_bench.cycle import TimedCycle
from controlit_bench.problems import example_robot, robot_content, stack_of
from controlit_bench.section import Section
from controlit_bench.timing import Work, best, interleaved, one_processor
from controlit_ros.errors import ControlItError
from controlit_ros.share import share_directory

CACHE_VARIABLE = "CONTROLIT_PEERS"
PACKAGES = {
    "placo": ("placo",),
    "pink": ("pin-pink", "qpsolvers[daqp]"),
    "mink": ("mink", "qpsolvers[daqp]"),
    # what newer wheels of it were built against is not what they install
    "tsid": ("tsid==1.7.1", "pin==3.4.0", "cmeel-urdfdom<5", "cmeel-tinyxml2<11"),
}
SOLVES = {
    "placo": "inverse dynamics, torques",
    "pink": "inverse kinematics, velocities",
    "mink": "inverse kinematics, velocities",
}
BAXTER = "baxter_description/urdf/baxter.urdf"
HANDS = ("left_wrist", "right_wrist")
POSTURE = {
    f"{side}_{joint}": angle
    for side, sign in (("left", 1.0), ("right", -1.0))
    for joint, angle in (
        ("s0", 0.4 * sign), ("s1", -0.4), ("e0", 0.2 * sign), ("e1", 1.0), ("w0", 0.1 * sign),
        ("w1", 0.6), ("w2", 0.2 * sign),
    )
}  # fmt: skip
OFFSET = (0.02, 0.01, 0.03)  # [m] from where each hand is to where it shall be


class PeerError(ControlItError):
    """A peer cannot be installed or does not run; the text holds its last words."""


def peers_folder(folder: Path | None = None) -> Path:
    """Return where the environments of the peers are: as given, by environment, or user's cache."""
    if folder is not None:
        return folder
    stated = os.environ.get(CACHE_VARIABLE)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(stated) if stated else cache / "controlit" / "peers"


def install_peers(folder: Path) -> None:
    """Give each peer an environment of its own, so that their versions do not fight.

    Raises:
        PeerError: pip failed.
    """
    for name, packages in PACKAGES.items():
        place = folder / name
        if not python_of(place).exists():
            venv.create(place, with_pip=True)
        command = [str(python_of(place)), "-m", "pip", "install", "--quiet", *packages]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - pip of a folder of our own
        if done.returncode != 0:
            raise PeerError(f"{name} cannot be installed: {done.stderr.strip()[-500:]}")


class Peer:
    """A process that runs one library on the problem when it is told to.

    Args:
        name: Name of its script in `benchmarks/peers`, without `_peer.py`.
        python: Interpreter that has the library.
        problem: What to solve.

    Raises:
        PeerError: It did not get ready.
    """

    def __init__(self, name: str, python: Path, problem: dict[str, Any]) -> None:
        self.name = name
        script = share_directory() / "benchmarks" / "peers" / f"{name}_peer.py"
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            [str(python), str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            self._exchange(problem)
        except PeerError:
            self.close()
            raise

    def turn(self, calls: int) -> float:
        """Return the mean time of a call [s]."""
        return float(self._exchange(calls))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _exchange(self, value: Any) -> Any:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            process.stdin.write(json.dumps(value) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass
        for line in process.stdout:
            try:
                return json.loads(line)
            except ValueError:
                continue  # libraries greet on the standard output
        words = process.stderr.read().strip().splitlines()
        raise PeerError(f"{self.name} failed: {words[-1] if words else 'no message'}")


def measure_peers(*, quick: bool, folder: Path | None = None) -> Section:
    """Measure every peer that is installed.

    Args:
        quick: Few turns, no peers but the floor.
        folder: Where their environments are; see `peers_folder`.
    """
    columns = ("library", "solves", "cycle [µs]", "ours/theirs [-]")
    title = "Baxter, two hand poses and posture: state in, answer out; hot"
    try:
        original = example_robot(BAXTER)
    except ControlItError as error:
        return Section("peers", title, columns, (), (f"not installed: {error}",))
    place = peers_folder(folder)
    remarks = []
    with tempfile.TemporaryDirectory() as name, one_processor(), ExitStack() as stack:
        urdf = Path(name, "baxter.urdf")
        urdf.write_text(without_meshes(original.read_text(encoding="utf-8")), encoding="utf-8")
        problem = {"urdf": str(urdf), "posture": POSTURE, "hands": HANDS, "offset": OFFSET}
        cycle = TimedCycle(stack_of(baxter_content(urdf), Path(name)))
        peers: list[Peer] = []
        pythons = {"floor": Path(sys.executable)}
        pythons |= {} if quick else {peer: python_of(place / peer) for peer in SOLVES}
        for peer, python in pythons.items():
            if not python.exists():
                remarks.append(
                    f"{peer}: not installed: run `controlit bench peers --install-peers`"
                )
                continue
            try:
                peers.append(stack.enter_context(running(Peer(peer, python, problem))))
            except PeerError as error:
                remarks.append(f"{peer}: not installed: {error}")
        times = _rounds(cycle, peers, 3 if quick else 25)
    ours = times["controlit"]
    rows = tuple((name, _solves(name), 1e6 * time, ours / time) for name, time in times.items())
    return Section("peers", title, columns, rows, tuple(remarks))


def baxter_content(urdf: Path) -> dict[str, Any]:
    """Return our controller for the peers' problem."""
    content = robot_content(urdf, "base", list(HANDS), posture=POSTURE)
    for i, hand in enumerate(HANDS):
        task = {"name": f"Turn{i}", "type": "Orientation3D", "body": hand, "kp": 64, "kd": 16}
        content["tasks"].append(task)
        content["compound_task"].append({"name": task["name"], "priority": 1})
    return content


def without_meshes(urdf: str) -> str:
    """Return a URDF without shapes: libraries differ in where they look for meshes."""
    return re.sub(r"<(visual|collision)\b.*?</\1>", "", urdf, flags=re.DOTALL)


def _rounds(cycle: TimedCycle, peers: list[Peer], rounds: int) -> dict[str, float]:
    own: dict[str, Work] = {"controlit": cycle.compute, "NumPy textbook": cycle.specified}
    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, turns in interleaved(own, rounds=1, calls=20).items():
            times.setdefault(name, []).extend(turns)
        for peer in peers:
            times.setdefault(peer.name, []).append(peer.turn(20))
    return best(times)


@contextmanager
def running(peer: Peer) -> Iterator[Peer]:
    """End the process at last."""
    try:
        yield peer
    finally:
        peer.close()


def _solves(name: str) -> str:
    if name == "floor":
        return "nothing: dynamics, Jacobians, one factorisation"
    return SOLVES.get(name, "prioritised torques under constraints")


def python_of(place: Path) -> Path:
    """Return the interpreter of an environment."""
    return place / "bin" / "python"
