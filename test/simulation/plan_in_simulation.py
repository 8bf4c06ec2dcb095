"""The plan of the hands, sent to a simulated controller as the demonstration sends it."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from simulated_hands import SimulatedHands

from controlit_demos.hands.waypoints import HANDS_WAYPOINTS
from controlit_demos.programs.posture_plan import PosturePlan
from controlit_ros.recording.task_track import TaskTrack, TrackKind

SOFT_START = 1.1  # [s]
GOAL_CYCLES = 10  # goals at 100 Hz
HANDS = ("RightHandPosition", "LeftHandPosition", "RightHandOrientation", "LeftHandOrientation")


def kind_of(name: str) -> TrackKind:
    return TrackKind.POSITION if name.endswith("Position") else TrackKind.DIRECTION


class Motion:
    """The plan or its beginning, sent as the demo sends it."""

    def __init__(
        self,
        path: Path,
        edit: Callable[[Any], None] | None = None,
        duration: float = math.inf,
    ) -> None:
        self.run = run = SimulatedHands(path, edit)
        self.plan = plan = PosturePlan(run.stack, HANDS_WAYPOINTS)
        frequency = run.stack.servo.frequency
        run.advance(round(SOFT_START * frequency))
        rows = {name: [] for name in HANDS}
        joints, speeds, true_speeds, efforts, self.times = [], [], [], [], []
        simulation = run.stack.robot_interface.simulation
        for number in range(round(min(duration, plan.duration) * frequency / GOAL_CYCLES) + 1):
            time = number * GOAL_CYCLES / frequency
            for name, path_ in plan.trajectories.items():
                task, goal = run.tasks[name], path_.at(time)
                run.mailbox.post({task.goal: goal.value})
                if task.goal_velocity is not None and name != "Posture":
                    run.mailbox.post({task.goal_velocity: goal.velocity})
            run.advance(GOAL_CYCLES)
            self.times.append(time + GOAL_CYCLES / frequency)
            for name in HANDS:
                rows[name].append(run.tasks[name].active.actual.copy())
            joints.append(run.position)
            speeds.append(run.velocity)
            true_speeds.append(simulation.data.qvel.copy())
            efforts.append(run.coordinator.command.effort.copy())
        times = np.array(self.times)
        self.tracks = {
            name: TaskTrack(
                times,
                plan.trajectories[name].sample(times).value,
                np.array(rows[name]),
                kind_of(name),
            )
            for name in HANDS
        }
        self.joints, self.speeds = np.array(joints), np.array(speeds)
        self.true_speeds = np.array(true_speeds)
        self.efforts = np.array(efforts)
