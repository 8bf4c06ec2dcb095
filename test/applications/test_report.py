"""Figures, table, files and pictures of a run, on synthetic data."""

import builtins
import dataclasses
import json

import numpy as np
import pytest

from controlit_ros.applications.paper_figures import HAND_BOUNDS
from controlit_ros.applications.report import (
    NO_ERRORS,
    NO_MATPLOTLIB,
    rich_table,
    table_rows,
    write_report,
)
from controlit_ros.applications.run_record import RunRecord, TaskTrack
from controlit_ros.applications.run_statistics import run_statistics
from controlit_ros.applications.series import Track
from controlit_ros.servo import PHASES

DURATION = 10.0
TIMES = np.linspace(0.0, DURATION, 1001)


def position_track(offset):
    goal = np.stack([0.1 * TIMES, np.sin(TIMES), 0.0 * TIMES], axis=1)
    return TaskTrack(TIMES, goal, goal + np.array([0.0, 0.0, offset]), is_position=True)


def direction_track(angle):
    goal = np.stack([np.cos(TIMES), np.sin(TIMES), 0.0 * TIMES], axis=1)
    actual = np.stack([np.cos(TIMES + angle), np.sin(TIMES + angle), 0.0 * TIMES], axis=1)
    return TaskTrack(TIMES, goal, actual, is_position=False)


@pytest.fixture
def record():
    n = len(TIMES)
    return RunRecord(
        name="hands",
        created="2026-01-02T03:04:05+00:00",
        tasks={
            "RightHandPosition": position_track(0.005),
            "LeftHandPosition": position_track(0.002),
            "RightHandOrientation": direction_track(np.radians(1.0)),
            "LeftHandOrientation": direction_track(np.radians(0.5)),
        },
        phases=((0.0, "go"), (8.0, "pause")),
        duration=DURATION,
        complete=True,
        joint_names=("a", "b"),
        position=Track(TIMES, np.zeros((n, 2))),
        velocity=Track(TIMES, np.tile([0.5, -1.5], (n, 1))),
        effort=Track(TIMES, np.tile([1.0, 2.0], (n, 1))),
        velocity_limits=np.array([1.0, 1.0]),
        effort_limits=np.array([2.0, 2.0]),
        frequency=Track(TIMES, np.full((n, 1), 1000.0)),
        latency=Track(TIMES, np.full((n, len(PHASES)), 1e-4)),
        model_latency=Track(TIMES, np.full((n, 1), 2e-3)),
        events=((1.0, "RightHandConverged"),),
        notices=(),
        goals=(1000, 1e-3),
        summary=None,
        bounds=HAND_BOUNDS,
    )


def test_errors_are_distances_and_angles(record):
    errors = run_statistics(record).errors
    assert errors["RightHandPosition"].mean == pytest.approx(0.5)
    assert errors["RightHandPosition"].deviation == pytest.approx(0.0, abs=1e-9)
    assert errors["RightHandPosition"].unit == "cm"
    assert errors["RightHandOrientation"].mean == pytest.approx(1.0)
    assert errors["LeftHandOrientation"].at_rest == pytest.approx(0.5)


def test_a_failure_is_told_with_the_troubles_of_servo_and_client(record):
    assert run_statistics(dataclasses.replace(record, goals=(452, 0.2))).problems == ()
    spoiled = {**record.tasks, "RightHandPosition": position_track(0.02)}
    far = dataclasses.replace(record, tasks=spoiled)
    above = "RightHandPosition: mean error 2.00 cm, expected at most 0.93 cm"
    assert run_statistics(far).problems == (above,)
    paused = ((-0.5, "error", "early"), (2.0, "warning", "slow"), (3.0, "error", "stood still"))
    troubled = dataclasses.replace(far, goals=(452, 0.2), notices=paused)
    assert run_statistics(troubled).problems == (
        above,
        "the servo at 3.00 s: stood still",
        "the client sent 452 of 1000 rounds of goals, the machine was too busy",
    )
    many = tuple((float(i), "error", "stood still") for i in range(9))
    assert "6 more errors" in run_statistics(dataclasses.replace(far, notices=many)).problems[-1]


@pytest.mark.parametrize("angle", [0.0, 1e-6, 0.3, np.pi / 2, np.pi])
def test_angle_between_quaternions(angle):
    half = angle / 2.0
    goal = np.array([[0.0, 0.0, 0.0, 1.0]])
    actual = np.array([[np.sin(half), 0.0, 0.0, np.cos(half)]])
    for sign in (1.0, -1.0):
        track = TaskTrack(np.zeros(1), goal, sign * actual, is_position=False)
        assert track.errors()[0] == pytest.approx(np.degrees(angle), abs=1e-6)


def test_a_good_run_has_no_problems(record):
    assert run_statistics(record).problems == ()


def test_errors_above_the_bound_are_problems(record):
    tasks = {**record.tasks, "LeftHandPosition": position_track(0.0064)}
    (problem,) = run_statistics(dataclasses.replace(record, tasks=tasks)).problems
    assert problem == "LeftHandPosition: mean error 0.64 cm, expected at most 0.64 cm"


def test_what_a_witness_found_is_told(record, tmp_path):
    found = dataclasses.replace(
        record, findings={"pulled off [m]": 0.25}, problems=("the valve was dropped",)
    )
    statistics = run_statistics(found)
    assert statistics.problems == ("the valve was dropped",)
    (tmp_path / "fsm.png").touch()
    write_report(found, statistics, tmp_path, ["fsm.png"])
    text = (tmp_path / "report.md").read_text()
    assert "| pulled off [m] | 0.25 |" in text
    assert "* the valve was dropped" in text
    assert "![fsm](fsm.png)" in text
    assert json.loads((tmp_path / "report.json").read_text())["findings"] == {
        "pulled off [m]": 0.25
    }


def test_a_robot_that_does_not_move_is_a_problem(record):
    track = position_track(0.0)
    still = dataclasses.replace(track, actual=np.tile(track.goal[0], (len(TIMES), 1)))
    problems = run_statistics(
        dataclasses.replace(record, tasks={"RightHandPosition": still})
    ).problems
    assert any("did not move (0.000 m, asked for 2.000 m)" in problem for problem in problems)


def test_a_task_nothing_was_heard_of_is_a_problem(record):
    empty = TaskTrack(np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)), is_position=True)
    statistics = run_statistics(dataclasses.replace(record, tasks={"RightHandPosition": empty}))
    assert statistics.problems == ("RightHandPosition: no actual value arrived",)


def test_an_error_that_is_no_number_is_a_problem(record):
    tasks = {**record.tasks, "LeftHandPosition": position_track(np.nan)}
    assert len(run_statistics(dataclasses.replace(record, tasks=tasks)).problems) == 1


def test_no_rest_without_an_end(record):
    statistics = run_statistics(dataclasses.replace(record, complete=False))
    assert all(figures.at_rest is None for figures in statistics.errors.values())


def test_names_joints_beyond_their_limits(record):
    statistics = run_statistics(record)
    assert statistics.speeding == {"b": 1.5}
    assert statistics.straining == {"b": 1.0}


def test_prefers_the_servos_own_summary(record):
    sampled = run_statistics(record)
    assert not sampled.every_cycle
    assert sampled.frequency.mean == 1000.0
    assert sampled.latency["total"].p50 == pytest.approx(0.1)
    summary = {
        "cycles": 5,
        "frequency": [999.0, 2.0, 900.0, 1100.0],
        "phases": {phase: [1e-3, 2e-3, 3e-3, 4e-3] for phase in PHASES},
    }
    whole = run_statistics(dataclasses.replace(record, summary=summary))
    assert whole.every_cycle
    assert whole.frequency.lowest == 900.0
    assert whole.latency["read"].p99 == 2.0


def test_table_sets_our_figures_beside_the_papers(record):
    rows = {row.quantity: row for row in table_rows(run_statistics(record))}
    row = rows["RightHandPosition error, mean ± std [cm]"]
    assert row == (row.quantity, "0.50 ± 0.00", "2.79 ± 0.56", "within 0.93 cm")
    assert rows["servo frequency, mean ± std [Hz]"].paper == "1005.4 ± 15.7"
    assert rows["compute command, p50 / p99 [ms]"].here == "0.100 / 0.100"


def test_writes_the_folder(record, tmp_path):
    assert write_report(record, run_statistics(record), tmp_path) is None
    assert {path.name for path in tmp_path.iterdir()} == {
        "data.npz",
        "report.json",
        "report.md",
        "report.html",
        "hand_positions.png",
        "hand_orientations.png",
        "error_histograms.png",
        "servo_latency.png",
        "servo_frequency.png",
    }
    content = json.loads((tmp_path / "report.json").read_text())
    assert content["errors"]["RightHandPosition"]["mean"] == pytest.approx(0.5)
    assert content["latency"]["total"]["p50"] == pytest.approx(0.1)
    data = np.load(tmp_path / "data.npz")
    np.testing.assert_array_equal(data["RightHandPosition/time"], TIMES)
    text = (tmp_path / "report.md").read_text()
    assert "| RightHandPosition error, mean ± std [cm] | 0.50 ± 0.00 | 2.79 ± 0.56 |" in text
    assert "b (150 %)" in text
    assert "Error: distance" in text


def test_does_without_matplotlib(record, tmp_path, monkeypatch):
    original = builtins.__import__

    def refuse(name, *arguments, **keywords):
        if name.startswith(("matplotlib", "controlit_ros.applications.plots")):
            raise ImportError(name)
        return original(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert write_report(record, run_statistics(record), tmp_path) == NO_MATPLOTLIB
    assert not list(tmp_path.glob("*.png"))
    assert "report.md" in {path.name for path in tmp_path.iterdir()}


def test_survives_a_run_without_any_data(record, tmp_path):
    nothing = Track(np.zeros(0), np.zeros((0, 1)))
    empty = dataclasses.replace(
        record,
        tasks={},
        frequency=nothing,
        latency=Track(np.zeros(0), np.zeros((0, len(PHASES)))),
        model_latency=nothing,
        velocity=Track(np.zeros(0), np.zeros((0, 2))),
        effort=Track(np.zeros(0), np.zeros((0, 2))),
    )
    write_report(empty, run_statistics(empty), tmp_path)
    assert "age unknown" in (tmp_path / "report.md").read_text()
    assert "|  | here |" in (tmp_path / "report.md").read_text()


def columns(table):
    return [column.header for column in table.columns]


def test_columns_that_have_nothing_to_tell_are_left_out(record, tmp_path):
    without_bounds = dataclasses.replace(record, bounds={})
    write_report(record, run_statistics(record), tmp_path)
    assert "<th></th><th>here</th><th>paper</th><th></th>" in (tmp_path / "report.html").read_text()
    assert columns(rich_table(run_statistics(record), "hands")) == ["", "here", "paper", ""]
    statistics = run_statistics(without_bounds)
    assert columns(rich_table(statistics, "hands")) == ["", "here", "paper"]
    write_report(without_bounds, statistics, tmp_path)
    assert "<th></th><th>here</th><th>paper</th></tr>" in (tmp_path / "report.html").read_text()
    text = (tmp_path / "report.md").read_text()
    assert "|  | here | paper |\n|---|---:|---:|\n" in text
    assert "| RightHandPosition error, mean ± std [cm] | 0.50 ± 0.00 | 2.79 ± 0.56 |\n" in text


def test_says_why_there_are_no_errors(record, tmp_path):
    nobody = dataclasses.replace(record, tasks={}, goals=(0, 0.0), bounds={})
    statistics = run_statistics(nobody)
    table = rich_table(statistics, "hands")
    assert str(table.caption) == NO_ERRORS.strip()
    assert columns(table) == ["", "here", "paper"]
    write_report(nobody, statistics, tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert NO_ERRORS in text
    assert "Error: distance" not in text
    assert "No goals." in text
    assert NO_ERRORS in (tmp_path / "report.html").read_text()
    assert rich_table(run_statistics(record), "hands").caption is None
