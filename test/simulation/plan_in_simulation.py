"""The route of the hands, sent to a simulated controller without transport."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from simulated_hands import SimulatedHands

from controlit_demos.hands.waypoints import HANDS_WAYPOINTS
from controlit_demos.programs.posture_stops import posture_stops
from controlit_ros.paths.trajectory import Trajectory
from controlit_ros.paths.unit_trajectory import UnitTrajectory
from controlit_ros.recording.task_track import TaskTrack, TrackKind

SOFT_START = 1.1  # [s]
GOAL_CYCLES = 10  # goals at 100 Hz
HANDS = ("RightHandPosition", "LeftHandPosition", "RightHandOrientation", "LeftHandOrientation")


def kind_of(name: str) -> TrackKind:
    return TrackKind.POSITION if name.endswith("Position") else TrackKind.DIRECTION


class Plan:
    """Where the goals of the hands' route are at every time."""

    def __init__(self, run: SimulatedHands) -> None:
        stops = posture_stops(run.stack, HANDS_WAYPOINTS)
        times, rests, rows = [0.0], [], [stops[-1].goals]  # it ends where it begins
        for stop in stops:
            times.append(times[-1] + stop.duration)
            rows.append(stop.goals)
            if stop.pause:
                rests += [len(times) - 1, len(times)]
                times.append(times[-1] + stop.pause)
                rows.append(stop.goals)
        self.pauses = [times[rest] for rest in rests[1::2]]
        self.duration = times[-1]
        self.trajectories = {
            name: (UnitTrajectory if task.goal.unit_length else Trajectory)(
                times, [row[name] for row in rows], rests
            )
            for name, task in run.tasks.items()
        }


class Motion:
    """The plan or its beginning, goals and velocities at 100 Hz."""

    def __init__(
        self,
        path: Path,
        edit: Callable[[Any], None] | None = None,
        duration: float = math.inf,
    ) -> None:
        self.run = run = SimulatedHands(path, edit)
        self.plan = plan = Plan(run)
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
