"""Trajectories that are wrong, impossible or merely violent."""

import numpy as np
from hostile import hostile_message, hostile_number
from message_trials import OnARobot
from watched_robot import WatchedRobot

from controlit_ros.interfaces import Message, new

TYPE = "trajectory_msgs/msg/JointTrajectory"
TRIALS = ("violent", "hostile", "broken")
CYCLES = 250


class TrajectoryTrials(OnARobot):
    """A trajectory on the topic `joint_trajectory`."""

    name = "trajectories"
    share = 1500
    least = 8
    robots = ("dreamer/hands.yaml", "panda/reach.yaml")

    def mistreat(self, robot: WatchedRobot, rng: np.random.Generator) -> str | None:
        """Send it and look what the joints do."""
        topic = f"/{robot.stack.configuration.name}/joint_trajectory"
        kind = rng.choice(TRIALS)
        message = hostile_message(rng, TYPE) if kind == "hostile" else _violent(robot, rng)
        if kind == "broken":
            _break(message, rng)
        robot.send(topic, TYPE, message)
        robot.advance(CYCLES)
        return None


def _violent(robot: WatchedRobot, rng: np.random.Generator) -> Message:
    """Return a trajectory inside the ranges, with velocities and accelerations of any size."""
    description = robot.stack.robot
    names = np.array(description.command_joints)
    count = int(rng.integers(1, len(names) + 1))
    chosen = rng.permutation(len(names))[:count]
    joints = description.command_indices[chosen]
    lower = np.maximum(description.lower_limits[joints], -3.0)
    upper = np.minimum(description.upper_limits[joints], 3.0)
    time = 0.0
    points = []
    has_velocities, has_accelerations = rng.random(2) < 0.7
    size = int(rng.integers(1, 5))
    for i in range(size):
        time += 10.0 ** rng.uniform(-3.0, 0.3)
        is_last = i == size - 1
        point = {
            "positions": rng.uniform(lower, upper).tolist(),
            "time_from_start": {"sec": int(time), "nanosec": int(time % 1.0 * 1e9)},
        }
        if has_velocities:
            speeds = rng.normal(size=count) * 10.0 ** rng.uniform(-2.0, 8.0)
            point["velocities"] = (speeds * (not is_last)).tolist()
            if has_accelerations:
                point["accelerations"] = (
                    rng.normal(size=count) * 10.0 ** rng.uniform(-2.0, 8.0)
                ).tolist()
        points.append(point)
    return new(TYPE, joint_names=names[chosen].tolist(), points=points)


def _break(message: Message, rng: np.random.Generator) -> None:
    """Put something that does not belong there into a trajectory."""
    point = message.points[rng.integers(len(message.points))]
    what = rng.choice(["positions", "velocities", "accelerations", "time", "names"])
    if what == "time":
        point.time_from_start.sec = int(rng.choice([-1, 2**31 - 1, 0]))
    elif what == "names":
        message.joint_names = [
            *message.joint_names[:-1],
            str(rng.choice(["", "nobody", "Posture"])),
        ]
    else:
        values = np.array(getattr(point, what), dtype=np.float64)
        if not len(values):
            values = np.zeros(int(rng.integers(1, 4)))
        values[rng.integers(len(values))] = hostile_number(rng)
        setattr(point, what, values)
