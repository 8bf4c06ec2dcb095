"""Commands in one process, the controller in another, on DDS."""

import json
import signal
import time

import pytest
from console_processes import poll
from patience import GENEROUS

CONTROLLER = "cli_test"
GOAL = f"/{CONTROLLER}/RightHandPosition/goal_position"
POINT = "geometry_msgs/msg/Point"
pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("servo")]


def test_topics(here, shell):
    def all_are_listed():  # on a busy machine not at the first look
        topics = {topic["name"]: topic for topic in shell.json("topic", "list")}
        return {GOAL, f"/{CONTROLLER}/events"} <= set(topics) and topics

    topics = poll(all_are_listed)
    assert topics[GOAL]["types"] == [POINT]
    assert topics[GOAL]["subscriptions"] == 1
    assert topics[f"/{CONTROLLER}/events"]["publishers"] == 1
    poll(lambda: f"{GOAL} [{POINT}]" in here.run("topic", "list", "-t")[0].splitlines())


def test_nodes(here):
    poll(lambda: here.json("node", "list") == [f"/{CONTROLLER}/servo"])

    def goal_is_listed():  # on a busy machine not at the first look
        lines = here.run("node", "info", "servo")[0].splitlines()
        return f"    {GOAL} [{POINT}]" in lines and lines

    assert poll(goal_is_listed)[:2] == [f"/{CONTROLLER}/servo", "  publishers:"]

    def nearest_is_told():
        _, err = here.run("node", "info", f"/{CONTROLLER}/serv", code=1)
        return f"did you mean '/{CONTROLLER}/servo'" in err

    poll(nearest_is_told)


def explained(here):
    """Return what is explained, if control is active: who was held up is safe for a while."""
    content = here.json("explain")
    return content["state"] == "active" and content


def test_a_running_controller_explains_itself(here):
    content = poll(lambda: explained(here))
    assert [task["name"] for task in content["tasks"]] == ["RightHandPosition", "Posture"]
    (hand,) = here.json("explain", "--task", "RightHandPosition")["tasks"]
    assert len(hand["asked"]) == len(hand["got"]) == 3
    poll(lambda: here.run("explain")[0].startswith("Exact (WBOSC), active"))


def test_a_running_controller_tells_what_a_change_would_do(here):
    change = ("--set", "RightHandPosition.goal_position=[0, 0, 5]", "--set", "Posture.priority=1")

    def told():
        found = explained(here), here.json("explain", *change), explained(here)
        return all(found) and found

    before, content, after = poll(told)
    assert content["levels"][0]["priority"] == 1
    assert content["levels"][0]["rows"] == 3 + len(content["tasks"][1]["error"])
    assert len(content["effort"]) == len(content["effort_now"]) == len(content["joints"])
    assert content["effort"] != content["effort_now"]
    assert "reach" in [cause["kind"] for cause in content["tasks"][0]["causes"]]
    out, _ = here.run("explain", *change)
    assert "Nothing has been set. It would be:" in out
    errors = [found["tasks"][0]["error"] for found in (before, after)]
    assert errors[1] == pytest.approx(errors[0], abs=0.1)
    out, error = here.run("explain", "--set", "Posture.kpp=1", code=1)
    assert "unknown parameter 'Posture.kpp'" in error


def test_goal_moves_the_hand(here, shell):
    out, _ = here.run("topic", "echo", "RightHandPosition/actual_position", "--count", 1)
    start = dict(line.split(": ") for line in out.splitlines()[:3])
    begin = [float(start[axis]) for axis in "xyz"]
    goal = [begin[0] + 0.05, begin[1] + 0.02, begin[2] + 0.06]
    errors = shell.start("topic", "echo", "RightHandPosition/error_norm", "--json")
    poll(lambda: errors.out)
    words = ("topic", "pub", "RightHandPosition/goal_position", POINT, json.dumps(goal))
    out, _ = shell.run(*words)
    assert out.startswith(f"sent to 1 subscriber of {GOAL} [{POINT}]: ")

    def has_begun():
        if any(value["data"] > 0.05 for value in errors.values):
            return True
        for place in (begin, goal):  # one that was held up latches its goals anew
            here.run(*words[:-1], json.dumps(place))
        return False

    poll(has_begun)
    poll(lambda: errors.values[-1]["data"] < 0.01)

    def is_there():
        moved = here.json("topic", "echo", "RightHandPosition/actual_position", "--count", 1)
        if [moved["x"], moved["y"], moved["z"]] == pytest.approx(goal, abs=0.02):
            return True
        here.run(*words)  # a servo that was held up latches its goals anew
        return False

    poll(is_there)


def test_values_without_type(here):
    out, _ = here.run("topic", "pub", "RightHandPosition/goal_velocity", "[0, 0, -0.0]", "--once")
    assert "geometry_msgs/msg/Vector3" in out


def test_repeated_messages(here, shell):
    """Each count is kept; the sender is endless for the listener, and the other way round."""
    sender = shell.start("topic", "pub", "/chatter", "Float64", "-1.5", "--rate", 50, "--quiet")
    listener = shell.start("topic", "echo", "/chatter", "Float64", "--json", "--count", 20)
    assert listener.process.wait(GENEROUS) == 0
    poll(lambda: len(listener.out) == 20)
    assert listener.values == [{"data": -1.5}] * 20
    assert sender.end(signal.SIGINT)[0] == 0
    words = ("topic", "pub", "/chatter", "Float64", 1, "--rate", 50, "--count", 5, "--wait", 0)
    assert len(here.run(*words)[0].splitlines()) == 5


def test_nobody_listens(here):
    _, err = here.run("topic", "pub", "/nobody", "Float64", 1, "--wait", 0.3, code=1)
    assert "nobody subscribed to /nobody within 0.3 s" in err
    out, _ = here.run("topic", "pub", "/nobody", "Float64", 1, "--wait", 0)
    assert "sent to 0 subscribers of /nobody" in out


def test_rate(here):
    """Sampled outputs have 100 Hz of the servo's 250; a busy machine may miss many."""

    def is_measured():  # after a pause the messages of many periods come at once
        out, _ = here.run("topic", "hz", "RightHandPosition/error_norm", "--json", "--count", 2)
        measured = json.loads(out.splitlines()[-1])
        assert measured["shortest"] <= 1.0 / measured["rate"] <= measured["longest"]
        return 0.0 < measured["rate"] < 150.0 and measured["window"] > 2

    poll(is_measured)


def test_unknown_topics_name_the_nearest(here):
    _, err = here.run("topic", "echo", "RightHandPositon/error", code=1)
    assert f"did you mean '/{CONTROLLER}/RightHandPosition/error'" in err
    _, err = here.run("topic", "echo", "actual_position", code=1)
    assert "'actual_position' may be " in err
    _, err = here.run("topic", "pub", GOAL, "{u: 1}", code=1)
    assert "has no field 'u'" in err
    _, err = here.run("topic", "echo", "/x", "geometry_msgs/msg/Pont", code=1)
    assert "did you mean 'geometry_msgs/msg/Point'" in err


def test_silence(here):
    def is_told():  # on a busy machine the topic itself may take longer than that to be found
        _, err = here.run("topic", "echo", "events", "--timeout", 0.5, code=1)
        return "no message came within 0.5 s" in err

    poll(is_told)


def test_services(here):
    wanted = {
        f"/{CONTROLLER}/diagnostics/get{name}"
        for name in (
            "TaskParameters",
            "RealJointIndices",
            "CmdJointIndices",
            "ControllerConfiguration",
        )
    }  # on a busy machine not at the first look
    poll(lambda: wanted <= {service["name"] for service in here.json("service", "list")})
    poll(lambda: "[controlit/srv/GetTaskParameters]" in here.run("service", "list", "-t")[0])


def test_every_task_parameter_is_listed(here, shell, controllers):
    answer = shell.json("service", "call", "getTaskParameters")
    assert answer["success"] is True
    assert answer["tasks"] == ["RightHandPosition", "Posture"]
    listed = {f"{entry['owner']}.{entry['name']}" for entry in answer["parameters"]}
    tasks = here.json("describe", controllers / "hand.yaml")["tasks"]
    for task, part in tasks.items():
        assert {f"{task}.{name}" for name in part["parameters"]} <= listed
        assert {f"{task}.error", f"{task}.error_norm", f"{task}.command"} <= listed
    every = set(here.run("param", "list")[0].split())
    settable = {name for name in every if name.split(".")[0] in answer["tasks"]}
    assert settable < listed  # the service tells outputs, too
    assert {name.split(".")[1] for name in listed - settable} == {
        *("error", "error_norm", "command", "actual_position")
    }


def test_service_values_and_mistakes(here):
    out, _ = here.run("service", "call", "getTaskParameters", "{task: Posture}")
    assert "owner: Posture" in out
    assert "owner: RightHandPosition" not in out
    words = ("service", "call", "getTaskParameters", "{task: Postur}")
    out, err = here.run(*words, "--json", code=1)  # the whole answer, and the failure
    answer = json.loads(out)
    assert answer["success"] is False
    assert "did you mean 'Posture'" in answer["message"]
    called = f"/{CONTROLLER}/diagnostics/getTaskParameters"
    assert err == f"{called} answered success: false: {answer['message']}\n"
    assert here.run(*words, code=1)[0].startswith("success: false\n")
    _, err = here.run("service", "call", "getTaskParameters", "{tsk: Posture}", code=1)
    assert "did you mean 'task'" in err
    _, err = here.run("service", "call", "getTaskParametrs", code=1)
    assert f"did you mean '/{CONTROLLER}/diagnostics/getTaskParameters'" in err
    out, _ = here.run("service", "call", "getControllerConfiguration")
    assert out.startswith("configuration: |\n  name: cli_test\n")


def test_parameters(here):
    assert here.json("param", "get", "RightHandPosition.kp")["value"] == [64.0] * 3
    assert (
        "set to [80, 81, 82]" in here.run("param", "set", "RightHandPosition.kp", "[80, 81, 82]")[0]
    )
    poll(lambda: here.json("param", "get", "RightHandPosition.kp")["value"] == [80.0, 81.0, 82.0])
    here.run("param", "set", "RightHandPosition.kp", 64)  # one for all
    poll(lambda: here.run("param", "get", "RightHandPosition.kp")[0] == "[64.0, 64.0, 64.0]\n")
    rows = {row["name"]: row for row in here.json("param", "list", "RightHandPosition")}
    assert rows["RightHandPosition.body"]["read_only"] is True
    assert "RightHandPosition.error_norm" not in rows  # outputs have topics
    assert here.json("param", "get", "RightHandPosition.error_norm")["value"] >= 0.0
    kept = here.run(
        "param", "set", "RightHandPosition.body", rows["RightHandPosition.body"]["value"]
    )
    assert "set to" in kept[0]
    assert rows["RightHandPosition.kp"]["type"] == "double array"


def test_one_joint_of_many_is_set_by_its_name(here):
    before = here.json("param", "get", "Posture.kd")["value"]
    here.run("param", "set", "Posture.kd", f"{{right_elbow: {before[0] + 1.0}}}")
    poll(lambda: sorted(here.json("param", "get", "Posture.kd")["value"]) != sorted(before))
    after = here.json("param", "get", "Posture.kd")["value"]
    assert [b - a for a, b in zip(before, after, strict=True) if a != b] == [1.0]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("RightHandPosition.kp", "-5", "RightHandPosition.kp: found -5"),
        ("RightHandPosition.kp", "[1, 2]", "found [1.0, 2.0] (2 numbers), expected 3 finite"),
        ("RightHandPosition.kp", "{x: 1}", "(a map), expected 3 finite numbers"),
        ("Posture.kp", "{right_elbo: 1}", "did you mean 'right_elbow'"),
        ("kp", "1", "did you mean 'Posture.kp'"),
        ("RightHandPosition.error", "[1, 2, 3]", "cannot change at run time: it is an output"),
        ("RightHandPosition.body", "left_elbow", "cannot change at run time"),
        ("RightHandPosition.operational_state", "enabled", "did you mean 'enable'"),
        ("RightHandPosition.kpp", "1", "did you mean 'kp'"),
        ("RightHandPositon.kp", "1", "did you mean 'RightHandPosition.kp'"),
    ],
)
def test_refused_parameters(here, name, value, reason):
    out, err = here.run("param", "set", name, value, code=1)
    assert out == ""
    assert reason in err


def test_unknown_controller(here):
    _, err = here.run("param", "list", "--controller", "cli_tst", code=1)
    assert "did you mean 'cli_test'" in err
    assert here.run("param", "list", "--controller", CONTROLLER)[0]


def test_one_event_for_each_edge(here, shell):
    def limit(value):
        here.run("param", "set", "RightHandPosition.max_velocity", value)
        poll(lambda: here.json("param", "get", "RightHandPosition.max_velocity")["value"] == value)

    events = shell.start("event", "echo", "--json")
    events.wait_for_log(f"listening to /{CONTROLLER}/events")

    def is_heard():  # the servo may learn later than others that somebody listens
        limit(1.0)
        limit(0.5)
        until = time.monotonic() + 10.0  # none may come later and be taken for one of those below
        while not events.out and time.monotonic() < until:
            time.sleep(0.02)
        return events.out

    poll(is_heard)
    begin = time.time()
    for value, expected in ((1.0, 1), (1.5, 1), (0.5, 1), (1.2, 2)):
        limit(value)

        def edges():
            return [edge for edge in events.values if edge["time"] > begin]

        poll(lambda expected=expected: len(edges()) >= expected)
        time.sleep(0.2)  # one too many would come about now
        assert len(edges()) == expected
    limit(0.5)
    for value in events.values:
        assert (value["controller"], value["event"]) == (CONTROLLER, "Fast")
        assert abs(time.time() - value["time"]) < 300.0


def test_actions(here):
    move = {"name": f"/{CONTROLLER}/move_task", "type": "controlit/action/MoveTask"}
    poll(lambda: move in here.json("action", "list"))
    assert f"{move['name']} [{move['type']}]" in here.run("action", "list", "-t")[0].splitlines()
    goal = {"task": "Posture", "names": ["left_elbow"], "goal": [0.3], "duration": {"sec": 1}}

    def succeeds():  # a servo that was held up ends its goals
        code, out, _ = here.attempt("action", "send", "move_task", json.dumps(goal), "--feedback")
        return code == 0 and out

    out = poll(succeeds)
    assert "{progress: " in out
    assert out.splitlines()[-4:-2] == ["status: succeeded", "code: 0"]
    assert out.splitlines()[-1] == "message: the goal has arrived"
    _, err = here.run("action", "send", "move_task", "{task: Postur}", code=1)
    assert f"/{CONTROLLER}/move_task rejected the goal: unknown task 'Postur'" in err
    assert "'Posture'" in err
    _, err = here.run("action", "send", "move_task", "{tusk: Posture}", code=1)
    assert "tusk" in err
    _, err = here.run("action", "send", "move_tas", "{}", code=1)
    assert "did you mean '/cli_test/move_task'" in err
    late = goal | {"goal": [0.2], "goal_tolerance": 1e-12, "goal_time_tolerance": {"nanosec": 1}}

    def aborts():  # a servo that was held up rejects it
        _, out, err = here.attempt("action", "send", "move_task", json.dumps(late))
        return "status: aborted" in out and err

    err = poll(aborts)
    assert f"the goal of /{CONTROLLER}/move_task aborted" in err


def test_an_interrupted_action_is_cancelled(here, shell):
    goal = {"task": "Posture", "names": ["left_elbow"], "goal": [0.3], "duration": {"sec": 1000}}

    def interrupted():
        sender = shell.start("action", "send", "move_task", json.dumps(goal), "--feedback")

        def is_under_way():
            return any(line.startswith("{progress: ") for line in list(sender.out))

        poll(lambda: is_under_way() or sender.process.poll() is not None)
        if sender.process.poll() is not None:
            return None  # a servo that was held up ends its goals
        sender.end(signal.SIGINT)
        return None if "status: aborted" in sender.out else sender.out

    out = poll(interrupted)
    assert "status: canceled" in out
    assert "message: it came to rest and stays there" in out
