"""Controllers that ROS 2 starts: `--ros-args` on the command line."""

import signal

import pytest
from console_processes import poll
from patience import GENEROUS

from controlit_ros.interfaces import new
from controlit_ros.transport import EVENTS, ROSOUT, Qos, open_transport

pytestmark = [pytest.mark.processes, pytest.mark.commands]

EVENT = "rcl_interfaces/msg/ParameterEvent"


def test_parameters_reach_the_controller_and_changes_are_told(here, shell, controllers, tmp_path):
    path = tmp_path / "parameters.yaml"
    path.write_text("/**:\n  ros__parameters:\n    Posture: {kp: 50.0}\n    Far.hold: 0.25\n")
    with open_transport("listener", name="dds") as network:
        heard = []
        network.subscribe("/parameter_events", EVENT, heard.append, EVENTS)
        running = shell.start(
            "run", controllers / "still.yaml", "--quiet",
            "--ros-args", "--params-file", path, "-p", "Posture.kd:=9.5",
        )  # fmt: skip
        running.wait_for_log("-> active")
        values = [here.json("param", "get", f"Posture.{name}")["value"] for name in ("kp", "kd")]
        assert [set(value) for value in values] == [{50.0}, {9.5}]
        assert here.json("param", "get", "Far.hold")["value"] == 0.25
        assert here.json("param", "get", "use_sim_time")["value"] is False
        here.run("param", "set", "Far.hold", "0.5")
        poll(lambda: any(event.changed_parameters for event in heard))
    (change,) = next(e.changed_parameters for e in heard if e.changed_parameters)
    assert (change.name, change.value.double_value) == ("Far.hold", 0.5)
    assert {event.node for event in heard} == {"/cli_still/servo"}
    assert running.end(signal.SIGINT, GENEROUS)[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("-p", "Postur.kp:=1"), 1, "unknown parameter 'Postur.kp' (did you mean 'Posture'"),
        (("-p", "Posture.kp=1"), 1, "--param: found 'Posture.kp=1', expected name:=value"),
        (("-p", "use_sim_time:=1"), 1, "use_sim_time: found 1, expected true or false"),
        (("--parms-file", "a"), 2, "unknown option '--parms-file' (did you mean '--params-file'"),
    ],
)
@pytest.mark.parametrize("command", ["run", "simulate"])
def test_what_the_controller_does_not_have_is_refused(
    here, controllers, command, words, code, text
):
    _, err = here.run(command, controllers / "hand.yaml", "--ros-args", *words, code=code)
    assert text in err


def test_the_log_is_on_rosout_with_the_level_that_was_asked_for(here, shell, controllers):
    running = shell.start(
        "run", controllers / "still.yaml", "--ros-args", "--log-level", "cli_still.servo:=debug"
    )
    running.wait_for_log("-> active")
    with open_transport("listener", name="dds") as network:
        heard = []
        network.subscribe("/rosout", "rcl_interfaces/msg/Log", heard.append, ROSOUT)
        poll(lambda: any("runs at 250 Hz" in message.msg for message in heard))
    assert any(message.msg.startswith("loaded ") for message in heard)
    assert {message.name for message in heard} == {"cli_still.servo"}
    assert here.json("param", "list")  # it goes on
    assert running.end(signal.SIGINT, GENEROUS)[0] == 0


def test_levels_and_silence(shell, here, controllers):
    words = ("run", controllers / "still.yaml", "--duration", 0.1)
    for quiet in (("--log-level", "error"), ("--ros-args", "--log-level", "error")):
        assert "INFO" not in shell.run(*words, *quiet)[1]
    assert "INFO" in shell.run(*words, "--ros-args", "--log-level", "rclpy:=error")[1]
    _, err = here.run(*words, "--log-level", "eror", code=1)
    assert err == "--log-level: unknown level 'eror' (did you mean 'error'?)\n"


def test_quality_of_service_is_chosen_by_parameters(shell, here, controllers):
    topic = "/cli_still/Posture/goal_position"
    running = shell.start(
        "run", controllers / "still.yaml", "--ros-args",
        "-p", f"qos_overrides.{topic}.subscription.reliability:=best_effort",
        "-p", "qos_overrides./cli_still/Postur/goal_position.subscription.depth:=3",
    )  # fmt: skip
    running.wait_for_log(
        "this node has no subscription of /cli_still/Postur/goal_position (did you"
    )
    running.wait_for_log("-> active")
    state = "sensor_msgs/msg/JointState"
    with open_transport("sender", name="dds") as network:
        publisher = network.publisher(topic, state, Qos(reliable=False))

        def has_arrived():
            publisher.publish(new(state, name=["left_elbow"], position=[0.25]))
            return 0.25 in here.json("param", "get", "Posture.goal_position")["value"]

        poll(has_arrived)
    assert running.end(signal.SIGINT, GENEROUS)[0] == 0
    words = ("-p", f"qos_overrides.{topic}.subscription.reliability:=best_efort")
    _, err = here.run("run", controllers / "still.yaml", "--ros-args", *words, code=1)
    assert "found 'best_efort' (did you mean 'best_effort'" in err
