"""First motion: a hand of Dreamer goes where it is sent, around a circle, and back.

controlit run package://controlit/config/dreamer/hands.yaml
python examples/tutorials/1_first_motion.py
"""

from controlit_ros.client import connect

CONTROLLER = "dreamer_controller"
FORWARD = [0.15, -0.05, 0.10]  # [m] from where the hand is
RADIUS = 0.04  # [m]


def main(robot):
    """Move the right hand, and say where it is."""
    hand = robot.task("RightHandPosition")
    home = hand.goal
    print(f"the hand is at {tell(hand)}")

    hand.move_to(home + FORWARD, duration=3.0).wait()
    robot.wait_for("RightHandConverged", timeout=10.0)
    print(f"it is {1000 * hand.error_norm:.1f} mm from its goal at {tell(hand)}")

    center = hand.goal + [0.0, RADIUS, 0.0]
    hand.move_around(center, axis=[1.0, 0.0, 0.0], speed=0.1).wait()
    print(f"once around, it is at {tell(hand)}")

    back = hand.move_to(home, kind="time_optimal", speed=0.15, acceleration=1.0, jerk=10.0)
    back.wait()
    robot.wait_for("RightHandConverged", timeout=10.0)
    print(f"back, it is at {tell(hand)}")


def tell(hand):
    """Return where a hand is, in words [m]."""
    return ", ".join(f"{value:.3f}" for value in hand.actual)


if __name__ == "__main__":
    with connect(CONTROLLER) as found:
        main(found)
