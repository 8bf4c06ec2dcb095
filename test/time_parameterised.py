"""Plans as MoveIt parameterises them by time."""

import math

import numpy as np

RESAMPLING = 0.1  # [s] of TimeOptimalTrajectoryGeneration, by default


def stamp(time):
    """Return a time [s] as the fields of a Duration."""
    return {"sec": math.floor(time), "nanosec": round((time % 1.0) * 1e9)}


def time_parameterised(start, goal, acceleration=1.0):
    """Return points as time-optimal parameterisation makes them, and how long they take [s].

    They rest at both ends, and can be sent as text.
    """
    distance = np.asarray(goal) - start
    half = math.sqrt(np.abs(distance).max() / acceleration)
    share = distance / np.abs(distance).max()
    times = [*np.arange(0.0, 2.0 * half - 1e-6, RESAMPLING), 2.0 * half]
    points = []
    for time in times:
        left = 2.0 * half - time
        speeds_up = time < half
        way = 0.5 * acceleration * (time**2 if speeds_up else 2.0 * half**2 - left**2)
        points.append(
            {
                "positions": (start + share * way).tolist(),
                "velocities": (share * acceleration * min(time, left)).tolist(),
                "accelerations": (share * acceleration * (1.0 if speeds_up else -1.0)).tolist(),
                "time_from_start": stamp(time),
            }
        )
    return points, 2.0 * half
