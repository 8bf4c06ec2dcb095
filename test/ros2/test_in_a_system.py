"""A controller in a launch file of somebody else, and what ROS 2's own tools make of it."""

import re
from pathlib import Path

import pytest
from ros2_commands import SPIN_TIME, Running, installed, ros2, run
from ruamel.yaml import YAML

SYSTEM = Path(__file__).parent / "peers" / "system.launch.py"
HAND = Path(__file__).parents[1] / "cli" / "controllers" / "hand.yaml"
LIST = ("--no-daemon", "--spin-time", SPIN_TIME)
LATE = ("--qos-durability", "transient_local", "--qos-reliability", "reliable")
POINT = "geometry_msgs/msg/Point"
LOG = "rcl_interfaces/msg/Log"
STATE = "sensor_msgs/msg/JointState"
TRAJECTORY = "trajectory_msgs/msg/JointTrajectory"
POINTS = "points: [{positions: [0.4], time_from_start: {sec: 1}}]"

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        not installed("controlit"), reason="controlit is not built with colcon or not sourced"
    ),
]


class System(Running):
    """A controller of Dreamer's hand below `/robot1`, on one of the transports."""

    def __init__(self, transport):
        self.name = f"hand_on_{transport}"
        words = (f"transport:={transport}", f"namespace:={self.name}")
        super().__init__("launch", str(SYSTEM), *words)
        self.namespace = f"/robot1/{self.name}"
        self.node = f"{self.namespace}/servo"


@pytest.fixture(scope="module", params=["dds", "rclpy"])
def system(request):
    running = System(request.param)
    try:
        running.wait_for("control is active")
        yield running
    finally:
        running.close()


def documents(output):
    return [document for document in YAML(typ="safe").load_all(output) if document is not None]


class TestNames:
    def test_the_pushed_namespace_goes_before_the_controllers(self, system, eventually):
        nodes = eventually(f"(?m)^{system.node}$", "node", "list", *LIST).split()
        # other tests have nodes beside it, in namespaces of their own
        own = [node for node in nodes if node.count("/") == 1 or system.name in node]
        assert all(node.startswith(f"{system.namespace}/") for node in own if "ros2cli" not in node)
        topics = eventually("goal_position", "topic", "list", "-t", *LIST)
        assert f"{system.namespace}/RightHandPosition/goal_position [{POINT}]" in topics
        own = [
            name
            for name in topics.splitlines()
            if ("Position/" in name or "joint_states" in name) and not name.startswith("/on_")
        ]
        assert all(name.startswith(f"{system.namespace}/") for name in own)

    def test_robot_state_publisher_is_beside_it(self, system, eventually):
        if not installed("robot_state_publisher"):
            pytest.skip("robot_state_publisher is not installed")
        eventually(f"(?m)^{system.namespace}/robot_state_publisher$", "node", "list", *LIST)

    def test_entries_of_diagnostics_tell_whose_they_are(self, system):
        output = ros2(
            "topic", "echo", "--once", "/diagnostics", "diagnostic_msgs/msg/DiagnosticArray"
        )
        names = [status["name"] for status in documents(output)[0]["status"]]
        assert any(name.startswith(system.namespace.strip("/")) for name in names)


class TestParameters:
    def test_a_parameter_of_the_parent_launch_file_is_the_controllers(self, system, eventually):
        eventually(r"77\.0", "param", "get", system.node, "Posture.kp", *LIST)

    def test_a_value_that_is_set_is_an_event(self, system, eventually):
        with Running("topic", "echo", "/parameter_events") as events:
            for value in ("61.0", "62.0", "63.0", "64.0"):  # until it is heard
                eventually("successful", "param", "set", system.node, "RightHandPosition.kd", value)
                if events.says(f"double_value: {value}", 5.0):
                    break
            assert system.node in events.text
            assert "RightHandPosition.kd" in events.text

    @pytest.mark.parametrize("transport", ["dds", "rclpy"])
    def test_an_unknown_one_is_refused_with_the_nearest(self, launched, transport):
        running = launched(
            SYSTEM, f"transport:={transport}", "parameter:=Posture.kpp", "value:=1.0"
        )
        running.wait_for("exit code")
        assert "Posture has no parameter 'kpp' (did you mean 'kp'?)" in running.text

    @pytest.mark.parametrize("transport", ["dds", "rclpy"])
    def test_a_file_of_parameters_and_use_sim_time(self, tmp_path, transport, eventually):
        file = tmp_path / "parameters.yaml"
        name = f"filed_on_{transport}"
        file.write_text(
            f"/**:\n  ros__parameters: {{use_sim_time: true}}\n"
            f"/{name}/servo:\n  ros__parameters: {{Posture: {{kp: 81.0}}}}\n",
            encoding="utf-8",
        )
        words = ("run", "controlit", "controlit", "run", str(HAND), "--set", f"name={name}")
        told = ("--transport", transport, "--ros-args", "--params-file", str(file))
        with Running(*words, *told) as servo:
            servo.wait_for("control is active")
            eventually(r"81\.0", "param", "get", f"/{name}/servo", "Posture.kp", *LIST)
            eventually("True", "param", "get", f"/{name}/servo", "use_sim_time", *LIST)
            output = ros2("topic", "echo", "--once", "/clock", "rosgraph_msgs/msg/Clock")
            assert documents(output)[0]["clock"]["sec"] < 10_000


class TestLog:
    def test_rosout_has_what_was_before(self, system):
        logger = system.node.strip("/").replace("/", ".")
        with Running("topic", "echo", "/rosout", LOG, *LATE, "--qos-depth", "1000") as log:
            log.wait_for("control is active")
            assert f"name: {logger}" in log.text

    def test_nothing_live_is_in_the_output_of_a_launch(self, system):
        assert "\r" not in system.text.replace("\r\n", "\n")
        assert "\x1b[" not in re.sub(r"\x1b\[\d*m", "", system.text)  # colours apart

    @pytest.mark.parametrize("transport", ["dds", "rclpy"])
    def test_the_level_is_that_of_the_command_line(self, transport):
        name = f"quiet_on_{transport}"
        words = ("run", "controlit", "controlit", "run", str(HAND), "--set", f"name={name}")
        quiet = ("--transport", transport, "--ros-args", "--log-level", "warn")
        with (
            Running(*words, *quiet) as servo,
            Running(
                "topic", "echo", f"/{name}/diagnostics/state", "std_msgs/msg/String", *LATE
            ) as state,
        ):
            state.wait_for("data: active")
            assert "INFO" not in servo.text


class TestQuality:
    def test_goals_of_a_best_effort_publisher_are_heard(self, system):
        topic = f"{system.namespace}/RightHandPosition/goal_position"
        where = "{x: 0.30, y: -0.30, z: 1.00}"
        with Running(
            "topic", "pub", "-r", "5", "--qos-reliability", "best_effort", topic, POINT, where
        ):
            error = f"{system.namespace}/RightHandPosition/error_norm"
            goal = f"{system.namespace}/RightHandPosition/actual_position"
            with Running("topic", "echo", goal, POINT) as hand:
                hand.wait_for(r"x: 0\.(30|29999)")
            assert documents(ros2("topic", "echo", "--once", error, "std_msgs/msg/Float64"))
        system.wait_for("hears best-effort publishers, too")

    def test_goals_of_a_reliable_publisher_are_heard_beside_it(self, system):
        topic = f"{system.namespace}/RightHandPosition/goal_position"
        where = "{x: 0.35, y: -0.30, z: 1.05}"
        with Running(
            "topic", "echo", f"{system.namespace}/RightHandPosition/actual_position"
        ) as hand:
            for _ in range(5):  # it may have met the subscription for best effort alone
                ros2("topic", "pub", "--once", "-w", "1", topic, POINT, where)
                if hand.says(r"x: 0\.(35|34999)", 10.0):
                    break
            assert re.search(r"x: 0\.(35|34999)", hand.text)

    @pytest.mark.parametrize("transport", ["dds", "rclpy"])
    def test_it_is_chosen_by_a_parameter(self, transport, eventually):
        name = f"chosen_on_{transport}"
        topic = f"/{name}/RightHandPosition/actual_position"
        chosen = f"qos_overrides.{topic}.publisher.reliability:=best_effort"
        words = ("--transport", transport, "--set", f"name={name}", "--ros-args", "-p", chosen)
        with Running("run", "controlit", "controlit", "run", str(HAND), *words) as servo:
            servo.wait_for("control is active")
            told = eventually("PUBLISHER", "topic", "info", "-v", topic, *LIST)
        assert re.findall(r"Reliability: (\w+)", told) == ["BEST_EFFORT"]

    def test_who_asks_for_too_much_is_a_warning(self, system):
        topic = f"{system.namespace}/joint_states"
        with Running("topic", "echo", topic, "sensor_msgs/msg/JointState", *LATE):
            system.wait_for(
                f"{topic}: nothing gets from this node, which offers reliable, volatile, "
            )


class TestRejections:
    def test_a_rejected_action_says_why(self, system):
        with Running("topic", "echo", f"{system.namespace}/diagnostics/warnings") as warnings:
            move = "{task: RigthHandPosition, goal: [0.3, -0.3, 1.0], duration: {sec: 1}}"
            for _ in range(5):  # until the listener is known
                output = said(
                    "action",
                    "send_goal",
                    f"{system.namespace}/move_task",
                    "controlit/action/MoveTask",
                    move,
                )
                assert "rejected" in output
                if warnings.says("RightHandPosition", 5.0):
                    break
            assert "RigthHandPosition" in warnings.text
            assert "did you mean" in warnings.text

    @pytest.mark.parametrize(
        ("topic", "kind", "message", "reason"),
        [
            ("Posture/goal_position", STATE, "{name: [stranger], position: [0.1]}", "stranger"),
            ("joint_trajectory", TRAJECTORY, f"{{joint_names: [nobody], {POINTS}}}", "nobody"),
        ],
    )
    def test_what_a_topic_brings_is_told(self, system, topic, kind, message, reason):
        with Running("topic", "echo", f"{system.namespace}/diagnostics/warnings") as warnings:
            for _ in range(5):  # until the listener is known
                ros2(
                    "topic",
                    "pub",
                    "--once",
                    "-w",
                    "1",
                    f"{system.namespace}/{topic}",
                    kind,
                    message,
                )
                if warnings.says(reason, 5.0):
                    break
            assert reason in warnings.text


class TestActions:
    def test_a_task_is_moved(self, system):
        goal = "goal: [0.32, -0.30, 1.02], goal_tolerance: 0.02"
        move = f"{{task: RightHandPosition, duration: {{sec: 1}}, {goal}}}"
        output = ros2(
            "action",
            "send_goal",
            "--feedback",
            f"{system.namespace}/move_task",
            "controlit/action/MoveTask",
            move,
        )
        assert "SUCCEEDED" in output
        assert "progress" in output

    def test_a_trajectory_of_joints_is_followed(self, system):
        goal = f"{{trajectory: {{joint_names: [left_elbow], {POINTS}}}}}"
        output = ros2(
            "action",
            "send_goal",
            f"{system.namespace}/follow_joint_trajectory",
            "control_msgs/action/FollowJointTrajectory",
            goal,
        )
        assert "SUCCEEDED" in output


class TestLifecycle:
    def test_it_is_taken_down_and_up_again(self, system):
        assert "active" in ros2("lifecycle", "get", system.node)
        for transition, state in (("deactivate", "inactive"), ("activate", "active")):
            assert "successful" in ros2("lifecycle", "set", system.node, transition)
            assert ros2("lifecycle", "get", system.node).startswith(state)


def said(*arguments):
    """Run a command that may fail and return everything it printed."""
    done = run(*arguments)
    return done.stdout + done.stderr


@pytest.mark.parametrize("transport", ["dds", "rclpy"])
def test_ctrl_c_ends_it_cleanly(launched, transport):
    running = launched(SYSTEM, f"transport:={transport}", f"namespace:=ends_on_{transport}")
    running.wait_for("control is active")
    assert running.interrupt() == 0, running.text
    assert len(re.findall("finished cleanly", running.text)) == running.text.count("started with")
