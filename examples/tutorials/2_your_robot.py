"""Your robot: an arm that had nothing but its URDF draws a square, and says what it cannot do.

controlit new robot examples/tutorials/arm.urdf -o arm.yaml
controlit run arm.yaml --set 'simulator.initial_position={shoulder: 0.6, elbow: 1.2, wrist: 0.5}'
python examples/tutorials/2_your_robot.py
"""

from controlit_ros.client import connect

CONTROLLER = "arm_controller"
SIDE = 0.10  # [m]
TOO_FAR = [1.5, 0.0, 0.5]  # [m]; the arm is 0.9 m long


def main(robot):
    """Draw a square, then ask for what is too far; return what is said of that."""
    hand = robot.task("HandPosition")
    corner = hand.goal
    square = [corner + offset for offset in ([0, SIDE, 0], [0, SIDE, SIDE], [0, 0, SIDE])]
    hand.move_through([*square, corner], speed=0.15, stops=[0, 1, 2]).wait()
    print(f"drawn; the elbow is at {robot.joints.of('elbow'):.2f} rad")

    preview = robot.preview({"HandPosition.goal_position": TOO_FAR})  # nothing moves
    why = [cause.text for cause in preview.explanation.task("HandPosition").causes]
    for text in why:
        print(text)
    return why


if __name__ == "__main__":
    with connect(CONTROLLER) as found:
        main(found)
