"""What a bag tells of a run of a controller."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
from rosbags.rosbag2 import Reader
from rosbags.rosbag2.errors import ReaderError

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.interfaces import Message, type_book
from controlit_ros.model.urdf_document import urdf_tree
from controlit_ros.recording.run_record import RunRecord
from controlit_ros.recording.sent_goals import interpolated
from controlit_ros.recording.series import Track
from controlit_ros.recording.task_track import TaskTrack
from controlit_ros.recording.track_reader import track_readers
from controlit_ros.regular_file import MEBIBYTE, UnreadableFileError, check_readable
from controlit_ros.servo import PHASES

GOAL, REFERENCE, ACTUAL = "goal_", "reference_", "actual_"
JOINT_STATE = "diagnostics/jointState"
LARGEST_FILE = 1 << 40  # [bytes] any disk's
LARGEST_TEXT = 16 * MEBIBYTE  # [bytes] of metadata: thousands of topics are one
NANOSECOND = 1e-9  # [s]

Messages = Mapping[str, Sequence[tuple[float, Message]]]
"""Arrival since the first goal [s] and message, by topic below the controller."""


class BagError(ControlItError):
    """A bag cannot be read or has no controller in it; the text says why."""


def read_run(bag: Path, controller: str | None = None) -> RunRecord:
    """Return what a controller did while a bag was recorded.

    Times count from the first goal that was sent, or from the first message where nobody sent
    any. Tasks are those whose goal and actual value are both in the bag.

    Args:
        bag: Folder of the bag.
        controller: Name of the controller; `None` for the only one.

    Raises:
        BagError: The bag cannot be read, or the controller is not in it.
    """
    topics, begin = _read(bag)
    name = _controller(topics, controller, bag)
    prefix = f"/{name}/"
    below = {
        topic.removeprefix(prefix): m for topic, m in topics.items() if topic.startswith(prefix)
    }
    goals = [m[0][0] for topic, m in below.items() if _leaf(topic).startswith(GOAL)]
    origin = min(goals, default=min(m[0][0] for m in below.values()))
    messages = {
        topic: [(time - origin, m) for time, m in entries] for topic, entries in below.items()
    }
    return _record(name, messages, begin + origin)


def _read(bag: Path) -> tuple[dict[str, list[tuple[float, Message]]], float]:
    """Return all messages of known types by topic, and when the bag begins since 1970 [s]."""
    book, topics = type_book(), defaultdict(list)
    known = set(book.message_types)
    try:
        _check(bag)
        with Reader(bag) as reader:
            begin = reader.start_time
            for connection, stamp, data in reader.messages():
                if connection.msgtype in known:
                    message = book.decode(connection.msgtype, data)
                    topics[connection.topic].append(((stamp - begin) * NANOSECOND, message))
    except BagError:
        raise
    except (ReaderError, OSError, ControlItError) as error:
        raise BagError(f"{bag} cannot be read: {error}") from None
    except Exception as error:  # noqa: BLE001 - what is torn or made up fails anywhere in a reader
        raise BagError(f"{bag} is damaged: {type(error).__name__}: {error}") from None
    return dict(topics), begin * NANOSECOND


def _check(bag: Path) -> None:
    """Find out whether a bag can be read, before a library waits for its files or fills memory."""
    if not bag.is_dir():
        raise BagError(f"{bag} cannot be read: expected the folder of a bag")
    for path in bag.iterdir():
        try:
            check_readable(path, LARGEST_TEXT if path.suffix == ".yaml" else LARGEST_FILE)
        except UnreadableFileError as error:
            raise BagError(f"{path} {error}") from None


def _controller(topics: Mapping[str, Any], wanted: str | None, bag: Path) -> str:
    end = f"/{JOINT_STATE}"
    found = [topic.removesuffix(end).removeprefix("/") for topic in topics if topic.endswith(end)]
    if wanted is not None:
        if wanted not in found:
            raise BagError(f"{bag} has no controller {wanted!r}{did_you_mean(wanted, found)}")
        return wanted
    if len(found) != 1:
        listed = ", ".join(found) or "none"
        raise BagError(f"{bag}: found controllers {listed}, expected one or --controller")
    return found[0]


def _record(name: str, messages: Messages, begin: float) -> RunRecord:
    joints = messages.get(JOINT_STATE, ())
    joint_names = tuple(joints[0][1].name) if joints else ()
    limits = _limits(messages, joint_names)
    end = max(entries[-1][0] for entries in messages.values())

    def joint(field: str) -> Track:
        return _track(joints, lambda message: getattr(message, field), len(joint_names))

    def number(topic: str) -> Track:
        return _track(messages.get(topic, ()), lambda message: [message.data], 1)

    return RunRecord(
        name=name,
        created=datetime.fromtimestamp(begin, timezone.utc).isoformat(timespec="seconds"),
        tasks=_tasks(messages, joint_names),
        phases=tuple((time, m.data) for time, m in messages.get("demo/state", ())),
        duration=end,
        complete=False,
        joint_names=joint_names,
        position=joint("position"),
        velocity=joint("velocity"),
        effort=joint("effort"),
        velocity_limits=limits[0],
        effort_limits=limits[1],
        frequency=number("diagnostics/servoFrequency"),
        latency=_track(
            messages.get("diagnostics/servoComputeLatency", ()),
            lambda message: [getattr(message, phase) for phase in PHASES],
            len(PHASES),
        ),
        model_latency=number("diagnostics/modelLatency"),
        events=tuple((time, m.data) for time, m in messages.get("events", ())),
        notices=tuple(
            (time, level, m.data)
            for level in ("error", "warning")
            for time, m in messages.get(f"diagnostics/{level}s", ())
        ),
        goals=(
            max((len(m) for t, m in messages.items() if _leaf(t).startswith(GOAL)), default=0),
            0.0,
        ),
        summary=None,
    )


def _tasks(messages: Messages, joints: Sequence[str]) -> dict[str, TaskTrack]:
    """Return the tracks of all tasks of which both goal and actual value are in the bag.

    A goal that somebody sent is what was wanted; without one it is what the controller followed.
    """
    tasks = {}
    for topic, entries in messages.items():
        leaf = _leaf(topic)
        if not leaf.startswith(ACTUAL):
            continue
        below, quantity = topic.removesuffix(leaf), leaf.removeprefix(ACTUAL)
        sent = messages.get(f"{below}{GOAL}{quantity}") or messages.get(
            f"{below}{REFERENCE}{quantity}", ()
        )
        if not sent or sent[0][1].__type_name__ != entries[0][1].__type_name__:
            continue
        for reader in track_readers(quantity, entries[0][1], joints):
            wanted = _track(sent, reader.values, reader.width)
            since = max(wanted.times[0], 0.0)
            actual = _track([e for e in entries if e[0] >= since], reader.values, reader.width)
            if len(actual.times):
                goal = interpolated(wanted, actual.times, reader.kind)
                tasks[f"{below}{reader.part}".removesuffix("/")] = TaskTrack(
                    actual.times, goal, actual.values, reader.kind, reader.names
                )
    return tasks


def _limits(messages: Messages, joints: Sequence[str]) -> tuple[Array, Array]:
    """Return velocity and effort limits of the robot description, infinite where unknown."""
    velocity, effort = np.full(len(joints), np.inf), np.full(len(joints), np.inf)
    for _, message in messages.get("robot_description", ())[:1]:
        for element in urdf_tree(message.data).findall("joint"):
            limit = element.find("limit")
            if limit is not None and element.get("name") in joints:
                index = joints.index(str(element.get("name")))
                velocity[index] = float(limit.get("velocity", np.inf))
                effort[index] = float(limit.get("effort", np.inf))
    return velocity, effort


def _track(entries: Sequence[tuple[float, Message]], values: Any, width: int) -> Track:
    """Return the numbers of messages over time; messages with more or fewer are left out."""
    rows = [(time, row) for time, message in entries if len(row := values(message)) == width]
    numbers = np.array([row for _, row in rows], dtype=float)
    return Track(np.array([time for time, _ in rows]), numbers.reshape(len(rows), width))


def _leaf(topic: str) -> str:
    return topic.rpartition("/")[2]
