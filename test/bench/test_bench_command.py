"""`controlit bench --quick` from end to end."""

import importlib.util
import json
import sys

import pytest
from dds_isolation import ISOLATION
from robots_for_tests import needs_example_robots

from controlit_bench import bench_command
from controlit_ros.cli.main import main


@pytest.fixture
def isolated(monkeypatch):
    """Hide the servos of this run: who joins a domain later would hear them."""
    monkeypatch.setenv("CYCLONEDDS_URI", ISOLATION)


@pytest.mark.thorough
def test_json_has_the_machine_and_every_benchmark_asked_for(capsys, tmp_path):
    page = tmp_path / "bench.html"
    assert main(["bench", "rows", "gate", "--quick", "--json", "--html", str(page)]) == 0
    value = json.loads(capsys.readouterr().out)
    assert list(value["benchmarks"]) == ["rows", "gate"]
    assert value["machine"]["python"]
    rows = value["benchmarks"]["rows"]["rows"]
    assert [row["threads"] for row in rows] == ["multi", "single"]
    assert all(row["total [ms]"] > 0.0 for row in rows)
    assert "<table>" in page.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_every_solver_is_measured_beside_the_law(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "quadprog", None)
    assert main(["bench", "solvers", "--quick", "--json"]) == 0
    section = json.loads(capsys.readouterr().out)["benchmarks"]["solvers"]
    assert section["remarks"] == ["QuadProg: not installed"]
    found = {(row["solver"], row["limits"]) for row in section["rows"]}
    expected = {
        ("WBOSC", "afterwards"),
        ("DAQP", "efforts at theirs"),
        ("DAQP, Hierarchical", "none met"),
    }
    assert found >= expected
    assert all(row["p50 [µs]"] > 0.0 for row in section["rows"])


@pytest.mark.thorough
@pytest.mark.processes
@pytest.mark.usefixtures("isolated")
@needs_example_robots
def test_a_robot_stands_and_walks_in_turns(capsys):
    assert main(["bench", "walking", "--quick", "--json"]) == 0
    standing, walking = json.loads(capsys.readouterr().out)["benchmarks"]["walking"]["rows"]
    assert standing["way [m]"] < 0.1 < walking["way [m]"]
    for row in (standing, walking):
        assert row["cycles [-]"] > 0
        assert 0.0 < row["p50 [ms]"] <= row["p99 [ms]"]


@pytest.mark.thorough
@needs_example_robots
def test_programs_are_measured_beside_the_law_and_their_efforts_beside_another_solver(capsys):
    pytest.importorskip("clarabel")
    assert main(["bench", "programs", "standing", "agreement", "--quick", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["benchmarks"]
    programs = {
        (row["robot"].split(",")[0], row["goals"], row["law"]): row
        for row in found["programs"]["rows"]
    }
    assert len(programs) == 9
    assert all(row["p50 [µs]"] > 0.0 for row in programs.values())
    assert programs["Talos", "far", "Weighted"]["limits met [-]"] > 0
    assert programs["Talos", "near", "Weighted"]["limits met [-]"] == 0
    assert [row["library"] for row in found["standing"]["rows"]] == ["controlit"] * 2
    agreement = found["agreement"]["rows"]
    assert len({row["robot"] for row in agreement}) == 6
    weighted = [row for row in agreement if row["prioritisation"] == "Weighted"]
    assert max(row["largest difference [-]"] for row in weighted) <= 1e-6


@pytest.mark.simulation
def test_clients_that_come_and_go_shake_nothing_and_leave_nothing(capsys):
    assert main(["bench", "changes", "--quick", "--json"]) == 0
    ramped, sudden = json.loads(capsys.readouterr().out)["benchmarks"]["changes"]["rows"]
    change, alone = "largest change of an effort in a cycle [N m]", "without them [N m]"
    assert sudden[change] > 1.0  # what they do is no trifle
    assert ramped[change] < 0.05 * sudden[change] + 2.0 * ramped[alone]
    assert ramped["additions and removals [-]"] == 20
    assert ramped["objects more [-]"] < 1000  # a task has 500
    for row in (ramped, sudden):
        assert (row["tasks left [-]"], row["state"]) == (0, "active")


@pytest.mark.processes
@pytest.mark.usefixtures("isolated")
def test_the_network_benchmarks_measure_another_process(capsys):
    # so long that no pause of the machine is all that a servo is seen to do
    words = ("--quick", "--duration", "4", "--frequency", "500", "--json")
    assert main(["bench", "lateness", "latency", *words]) == 0
    value = json.loads(capsys.readouterr().out)["benchmarks"]
    assert value["lateness"]["title"] == "Servo at 500 Hz with transport on for 4 s"
    assert {row["target [-]"] for row in value["lateness"]["rows"]} == {None}, "of other rates"
    found = {row["what"]: row["measured [-]"] for row in value["lateness"]["rows"]}
    assert found["total p50"] > 0.0
    assert found["processor"] > 0.0
    assert found["processor, transport"] > 0.0
    assert found["overruns of the start"] >= 0
    assert 0.0 <= found["overruns"] <= 1e4
    memory = [found[f"resident memory{which}"] for which in ("", ", transport")]
    assert max(memory) < found["resident memory, both"] < sum(memory)
    idle = {row["what"]: row["without work [-]"] for row in value["lateness"]["rows"]}
    assert 0.0 < idle["processor"] < 100.0
    assert idle["lateness p50"] <= idle["lateness p99"]
    assert all(row["p50 [ms]"] > 0.0 for row in value["latency"]["rows"])


@pytest.mark.processes
@pytest.mark.usefixtures("isolated")
def test_how_late_threads_wake_is_told_by_class(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))  # no cyclictest
    assert main(["bench", "jitter", "--quick", "--json"]) == 0
    section = json.loads(capsys.readouterr().out)["benchmarks"]["jitter"]
    rows = {row["what"]: row for row in section["rows"]}
    classes = [row for what, row in rows.items() if "late by" in what or "more than" in what]
    assert len(classes) == 13
    for column in ("servo [-]", "without work, before [-]", "without work, after [-]"):
        assert sum(row[column] for row in classes) == pytest.approx(1e4)
        assert rows["cycles"][column] > 100
        assert rows["largest lateness"][column] > 0.0
        assert rows["frequency, mean"][column] > 0.0
        assert rows["frequency, standard deviation"][column] > 0.0
    assert {row["cyclictest [-]"] for row in section["rows"]} == {None}
    assert section["remarks"][-1] == "cyclictest: not installed (Debian: apt install rt-tests)"


@pytest.mark.processes
@pytest.mark.ros
@pytest.mark.skipif(importlib.util.find_spec("rclpy") is None, reason="rclpy is not importable")
def test_the_servo_over_rclpy_is_measured_beside_dds(capsys):
    assert main(["bench", "transports", "--quick", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["benchmarks"]["transports"]["rows"]
    assert {row["what"] for row in rows} > {"lateness p99", "total p99"}
    assert all(row["dds [ms]"] > 0.0 for row in rows if row["what"].startswith("total"))
    assert all(row["rclpy [ms]"] > 0.0 for row in rows if row["what"].startswith("total"))


def test_without_ros_the_transports_are_not_measured(capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["bench", "transports", "--quick", "--json"]) == 0
    section = json.loads(capsys.readouterr().out)["benchmarks"]["transports"]
    assert section["rows"] == []
    assert "source ROS 2" in section["remarks"][0]


@pytest.mark.processes
@pytest.mark.usefixtures("isolated")
def test_the_start_is_that_of_a_whole_process(capsys):
    assert main(["bench", "start", "--quick", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["benchmarks"]["start"]["rows"]
    assert [row["p50 [s]"] > 0.0 for row in rows] == [True, True]
    assert rows[0]["max [s]"] >= rows[0]["p50 [s]"]


@pytest.mark.parametrize("word", ["row", "latencies"])
def test_an_unknown_name_is_told(capsys, word):
    assert main(["bench", word]) == 2
    assert "unknown benchmark" in capsys.readouterr().err


def test_a_processor_that_is_not_there_is_told(capsys, monkeypatch):
    monkeypatch.setattr(bench_command, "processors", lambda: {2, 0})
    assert main(["bench", "rows", "--core", "1"]) == 2
    told = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert "found processor 1, expected one of [0, 2]" in told
