"""`controlit run` and `controlit simulate` as processes: their end, and the end of others."""

import json
import os
import re
import signal
import threading
from pathlib import Path

import pytest
from children import children_of
from console_processes import ROOT, poll
from patience import GENEROUS

from controlit_ros.robots.channel import channel_folder, channel_path
from controlit_ros.servo import LatencySummary

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_signals_end_it_in_order(shell, controllers, number):
    running = shell.start("run", controllers / "still.yaml")
    running.wait_for_log("-> active")
    assert running.end(number, GENEROUS)[0] == 0
    table = "\n".join(running.out)
    assert re.search(r"servo frequency \d+\.\d ± \d+\.\d Hz", table)
    for phase in ("read", "update model", "compute command", "write", "total", "lateness"):
        assert re.search(rf"^{phase} +\d+ +\d+ +\d+ +\d+$", table, re.MULTILINE)
    assert not any("Traceback" in line for line in running.err)


def test_signal_while_it_starts(shell, controllers):
    running = shell.start(
        "run", controllers / "hand.yaml", "--set", f"robot_interface.channel=early.{os.getpid()}"
    )
    running.wait_for_log("transport ")
    code, _ = running.end(signal.SIGINT, GENEROUS)
    assert code == 0
    assert not any("Traceback" in line for line in running.err)


def test_duration_summary_and_quiet(shell, controllers, tmp_path):
    path = tmp_path / "summary.json"
    out, err = shell.run(
        "run", controllers / "still.yaml", "--duration", 1.5, "--summary", path, "--quiet",
        "--set", "log_level=FATAL",
    )  # fmt: skip
    assert (out, err) == ("", "")
    summary = json.loads(path.read_text(), parse_constant=pytest.fail)
    assert set(summary) == set(LatencySummary._fields)
    assert summary["rate"] > 0.0
    assert summary["measured"] > 0.0
    assert summary["cycles"] > 5
    assert list(summary["phases"]) == [
        "read", "odometry", "update_model", "compute_command", "events", "write", "total"
    ]  # fmt: skip
    assert all(len(values) == 4 for values in summary["phases"].values())


def test_simulated_clock_needs_no_time(shell, controllers, tmp_path):
    path = tmp_path / "summary.json"
    shell.run(
        "run", controllers / "hand.yaml", "--duration", 3, "--summary", path,
        "--transport", "local",
        "--set", "servo_clock_type=Simulated", "--set", "robot_interface.mode=in_process",
    )  # fmt: skip
    assert json.loads(path.read_text())["cycles"] == 750


def test_log_fields(shell, controllers):
    _, err = shell.run(
        "run", controllers / "still.yaml", "--duration", 0.1,
        "--set", "log_fields=[package, file, line, function, pid]",
    )  # fmt: skip
    assert re.search(
        r"^\d\d:\d\d:\d\d\.\d{3} INFO  \[\d+\] controlit\.run controller_run\.py:\d+ _run\(\) "
        r"cli_still runs at 250 Hz",
        err,
        re.MULTILINE,
    )
    assert re.search(r"WARN .*'Idle' is declared but not listed", err)


def test_what_cannot_start(here, controllers, tmp_path):
    _, err = here.run("run", tmp_path / "none.yaml", code=1)
    assert err == f"{tmp_path}/none.yaml:1:1: there is no such file\n"
    unwritable = tmp_path / "none" / "summary.json"
    _, err = here.run("run", controllers / "still.yaml", "--summary", unwritable, code=1)
    assert err == f"{unwritable} cannot be written: No such file or directory\n"
    _, err = here.run("simulate", controllers / "still.yaml", code=1)
    assert "expected MuJoCo" in err


@pytest.mark.timeout(GENEROUS)
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_results_go_into_regular_files_only(here, controllers, tmp_path, kind):
    path = tmp_path / "it"
    make = {"pipe": os.mkfifo, "device": lambda p: p.symlink_to("/dev/full"), "folder": os.mkdir}
    make[kind](path)
    told = f"{path} cannot be written: it is a {kind}, expected a regular file\n"
    _, err = here.run("run", controllers / "still.yaml", "--summary", path, code=1)
    assert err == told
    urdf = ROOT / "urdf" / "dreamer.urdf"
    _, err = here.run("new", "robot", urdf, "--output", path, "--force", code=1)
    assert err == told
    _, err = here.run("bench", "rows", "--quick", "--html", path, code=1)
    assert err == told


def servo_of(process):
    """Return the process that the servo has of its own."""
    return children_of(process.pid)["controlit-servo"]


def simulators_of(process):
    """Return the processes that a servo started."""
    return list(children_of(servo_of(process)).values())


def is_active(running):
    """Return whether the last change of state that was told is that to `active`."""
    changes = [line for line in list(running.err) if "state: " in line]
    return bool(changes) and changes[-1].endswith("-> active")


def test_killed_simulator_and_killed_clients(shell, servo, here):
    """The servo goes to its safe state while the robot is silent, and recovers."""
    errors = shell.start("topic", "echo", "diagnostics/errors", "--json")
    goals = shell.start(
        "topic", "pub", "RightHandPosition/goal_velocity", "[0, 0, 0]", "--rate", 50
    )
    poll(lambda: goals.out)
    state = shell.start("topic", "echo", "diagnostics/jointState", "--json")
    poll(lambda: state.out)

    def has_listener():
        topics = {topic["name"]: topic for topic in here.json("topic", "list")}
        return topics.get("/cli_test/diagnostics/errors", {}).get("subscriptions")

    poll(has_listener)
    # a busy machine may silence the simulator; the servo must not care for the clients
    cycles = []
    for client in (goals, state):
        client.process.kill()
        client.process.wait()
        out, _ = shell.run("topic", "hz", "Posture/error_norm", "--count", 1, "--json")
        cycles.append(json.loads(out)["rate"])
    assert min(cycles) > 0.0
    assert servo.process.poll() is None

    mark = len(servo.err)
    poll(lambda: is_active(servo))
    (simulator,) = simulators_of(servo.process)
    os.kill(simulator, signal.SIGKILL)
    mark = servo.wait_for_log("state: active -> safe", mark)
    poll(lambda: simulators_of(servo.process) not in ([], [simulator]))
    servo.wait_for_log("state: safe -> active", mark)
    poll(lambda: any("no state from the robot" in value["data"] for value in errors.values))
    (successor,) = simulators_of(servo.process)
    assert successor != simulator
    assert servo.process.poll() is None


def test_simulator_by_hand_outlives_servos(shell, controllers):
    channel = f"robot_interface.channel=by_hand.{os.getpid()}"
    file = controllers / "hand.yaml"
    simulator = shell.start("simulate", file, "--set", channel)
    simulator.wait_for_log("simulating cli_test on channel by_hand")
    poll(lambda: channel_path(f"by_hand.{os.getpid()}.state").exists())
    for _ in range(2):
        running = shell.start("run", file, "--set", channel, "--set", "name=cli_other", "--quiet")
        running.wait_for_log("control is active")
        assert simulators_of(running.process) == []
        assert running.end(signal.SIGTERM, GENEROUS)[0] == 0
    assert simulator.process.poll() is None
    assert simulator.end(signal.SIGINT, GENEROUS)[0] == 0


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="there is one processor, or no telling who runs on which",
)
def test_the_servo_has_its_processor_alone(shell, controllers):
    own = max(os.sched_getaffinity(0))
    running = shell.start(
        "run", controllers / "hand.yaml",
        "--set", f"name=alone_{os.getpid()}", "--set", f"cpu_affinity=[{own}]",
    )  # fmt: skip
    running.wait_for_log("-> active")
    pids = (running.process.pid, servo_of(running.process), *simulators_of(running.process))
    assert len(pids) == 3
    threads = [thread.name for pid in pids for thread in Path(f"/proc/{pid}/task").iterdir()]
    allowed = [os.sched_getaffinity(int(thread)) for thread in threads]
    assert allowed.count({own}) == 1
    assert sum(own in processors for processors in allowed) == 1
    assert running.end(signal.SIGTERM, GENEROUS)[0] == 0


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def memory_of(name):
    return list(channel_folder().glob(f"*{name}*"))


def test_killed_servo_ends_the_run_with_an_error(shell, controllers):
    name = f"killed_servo_{os.getpid()}"
    running = shell.start("run", controllers / "hand.yaml", "--set", f"name={name}")
    running.wait_for_log("-> active")
    (simulator,) = simulators_of(running.process)
    os.kill(servo_of(running.process), signal.SIGKILL)
    assert running.process.wait(GENEROUS) == 1
    running.close()
    assert any("the servo's process was ended by SIGKILL" in line for line in running.err)
    assert not any("Traceback" in line for line in running.err)
    poll(lambda: not is_alive(simulator))
    poll(lambda: not memory_of(name))


def test_killed_front_takes_the_servo_along(shell, controllers):
    name = f"killed_front_{os.getpid()}"
    running = shell.start("run", controllers / "hand.yaml", "--set", f"name={name}")
    running.wait_for_log("-> active")
    servo = servo_of(running.process)
    (simulator,) = simulators_of(running.process)
    running.process.kill()
    poll(lambda: not is_alive(servo) and not is_alive(simulator))
    poll(lambda: not memory_of(name))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_servo_that_is_told_to_end_alone(shell, controllers, number):
    """Ctrl-C goes to both processes, and the front decides; SIGTERM is for the servo itself."""
    running = shell.start("run", controllers / "still.yaml")
    running.wait_for_log("-> active")
    os.kill(servo_of(running.process), number)
    if number == signal.SIGTERM:
        assert running.process.wait(GENEROUS) == 1
        running.close()
        assert any("the servo's process ended with exit code 0" in line for line in running.err)
    else:
        assert running.end(signal.SIGINT, GENEROUS)[0] == 0


def test_all_processes_are_told_to_end(shell, controllers):
    """As service managers do; whoever ends first, that is no failure of the servo."""
    running = shell.start("run", controllers / "still.yaml")
    running.wait_for_log("-> active")
    os.kill(servo_of(running.process), signal.SIGTERM)
    assert running.end(signal.SIGTERM, GENEROUS)[0] == 0
    assert not any("exit code" in line for line in running.err)


def test_one_process_where_it_is_wanted(shell, controllers):
    running = shell.start("run", controllers / "still.yaml", "--set", "transport_process=false")
    running.wait_for_log("-> active")
    assert children_of(running.process.pid) == {}
    assert running.end(signal.SIGINT, GENEROUS)[0] == 0


def test_fast_runs_in_simulated_time(shell, controllers, tmp_path):
    path = tmp_path / "summary.json"
    shell.run(
        "run", controllers / "hand.yaml", "--fast", "--duration", 3, "--summary", path,
        "--transport", "local",
    )  # fmt: skip
    assert json.loads(path.read_text())["cycles"] == 750


def test_fast_needs_a_simulated_robot(here, controllers):
    _, err = here.run("run", controllers / "still.yaml", "--fast", code=1)
    assert "expected 'MuJoCo': simulated time (--fast) does not leave the process" in err


class Limit:
    """Lets a process start so many threads and no more."""

    def __init__(self, monkeypatch, most):
        self.left = most
        start = threading.Thread.start

        def limited(thread):
            self.left -= 1
            if self.left < 0:
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", limited)


def threads_of_a_run(monkeypatch, attempt):
    """Return how many threads a run starts when it may start any number."""
    with monkeypatch.context() as patch:
        limit = Limit(patch, 1000)
        assert attempt()[0] == 0
        return 1000 - limit.left


@pytest.mark.parametrize("file", ["still.yaml", "hand.yaml"])
def test_a_machine_without_room_for_threads_is_told_in_one_line(
    here, controllers, monkeypatch, file
):
    """Each thread in turn is the one that cannot be started, as where memory is limited."""
    name = f"threadless_{os.getpid()}"
    arguments = (
        "run", controllers / file, "--quiet", "--duration", 0.1, "--transport", "local",
        "--set", f"name={name}", "--set", "transport_process=false",
    )  # fmt: skip
    count = threads_of_a_run(monkeypatch, lambda: here.attempt(*arguments))
    assert count > 3
    refused = 0
    for most in range(count):
        with monkeypatch.context() as patch:
            limit = Limit(patch, most)
            code, _, err = here.attempt(*arguments)
        if limit.left >= 0:
            continue  # on a busy machine the time was over before it came to so many
        refused += 1
        assert code == 1, (most, err)
        assert err.endswith("can't start new thread\n"), (most, err)
        assert "Traceback" not in err
        assert not memory_of(name)
    assert refused > 2
