"""Pick and place: Dreamer takes a tube off its stand and lays it onto another one.

controlit run package://controlit/config/dreamer/disassembly.yaml
python examples/tutorials/5_pick_and_place.py
"""

import numpy as np

from controlit_ros.client import connect, wait_all

CONTROLLER = "disassembly"
LEVEL = [0.0, -(0.5**0.5), 0.0, 0.5**0.5]  # xyzw: fingers forward, the gripper closes vertically
TUBE = np.array([0.42, -0.105, 1.05])  # [m] where it is held, a little left of its middle
STORE = np.array([0.42, -0.385, 1.00])  # [m] the same on the other stand
BACK, UP = np.array([-0.13, 0.0, 0.0]), np.array([0.0, 0.0, 0.06])  # [m]
OPEN, SHUT = 0.04, 0.004  # [m] half the opening
THINNEST = 0.006  # [m] half of what counts as held


class Gripper:
    """The right gripper: a task of one joint."""

    def __init__(self, robot):
        self.task = robot.task("RightGripper")
        self.joint = self.task.labels.index("right_gripper")

    def move(self, opening):
        """Open or close it; what is held stops it earlier."""
        self.task.move_to({"right_gripper": opening}, duration=1.5).wait()

    @property
    def holds(self):
        """Whether something keeps it from closing."""
        return self.task.actual[self.joint] > THINNEST


def main(robot):
    """Move the tube; return whether it was held all the way."""
    hand, turn = robot.task("RightHandPosition"), robot.task("RightHandOrientation")
    gripper = Gripper(robot)
    ready = [[0.18, -0.33, 0.72], [0.25, -0.29, 0.90], TUBE + BACK]

    print("get ready: forwards, and level")
    wait_all([hand.move_through(ready, speed=0.15), turn.move_to(LEVEL, duration=7.0)])
    print("pick")
    hand.move_to(TUBE, speed=0.1).wait()
    gripper.move(SHUT)
    hand.move_to(TUBE + UP, speed=0.05).wait()
    was_held = gripper.holds
    print(f"the gripper holds {'the tube' if was_held else 'nothing'}")

    print("place")
    hand.move_to(STORE + UP, speed=0.1).wait()
    hand.move_to(STORE, speed=0.05).wait()
    was_held = was_held and gripper.holds
    gripper.move(OPEN)
    hand.move_to(STORE + BACK, speed=0.1).wait()
    print("done" if was_held else "the tube was lost on the way")
    return was_held


if __name__ == "__main__":
    with connect(CONTROLLER) as found:
        main(found)
