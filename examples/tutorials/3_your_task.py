"""Your task: the elbows of Dreamer rise, by a type of task that controlit does not have.

controlit new task elbow_height
pip install --editable elbow_height
controlit run elbow_height/elbow_height/elbow_height.yaml
python examples/tutorials/3_your_task.py
"""

from controlit_ros.client import connect, wait_all

CONTROLLER = "elbow_height_controller"
RISE = 0.03  # [m]
OTHER = {
    "name": "OtherElbow",
    "type": "ElbowHeight",
    "body": "left_elbow",
    "kp": 9,
    "kd": 6,
}


def main(robot):
    """Raise one elbow, add a task for the other, raise that, and take it away again."""
    elbow = robot.task("Elbow")
    begin = elbow.actual[0]
    elbow.move_to([begin + RISE], duration=6.0).wait()
    print(f"the right elbow rose by {1000 * (elbow.actual[0] - begin):.1f} mm")

    other = robot.add_task(OTHER, priority=1)
    start = other.goal[0]
    wait_all(
        [
            elbow.move_to([begin], duration=6.0),
            other.move_to([start + RISE], duration=6.0),
        ]
    )
    print(f"the left elbow rose by {1000 * (other.actual[0] - start):.1f} mm")
    robot.remove_task("OtherElbow")


if __name__ == "__main__":
    with connect(CONTROLLER) as found:
        main(found)
