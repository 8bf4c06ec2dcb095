"""Figures, table, files and pictures of a run, on synthetic data."""

import builtins
import dataclasses
import json
import re

import numpy as np
import pytest

from controlit_ros.recording.paper_figures import DISASSEMBLY, HAND_BOUNDS
from controlit_ros.recording.report import (
    NO_ERRORS,
    NO_MATPLOTLIB,
    rich_table,
    table_rows,
    write_report,
)
from controlit_ros.recording.run_record import RunRecord
from controlit_ros.recording.run_statistics import run_statistics
from controlit_ros.recording.series import Track
from controlit_ros.recording.task_track import TaskTrack, TrackKind
from controlit_ros.servo import PHASES

PLOTS = "controlit_ros.recording.plots"
DURATION = 10.0
TIMES = np.linspace(0.0, DURATION, 1001)


def position_track(offset):
    goal = np.stack([0.1 * TIMES, np.sin(TIMES), 0.0 * TIMES], axis=1)
    return TaskTrack(TIMES, goal, goal + np.array([0.0, 0.0, offset]), TrackKind.POSITION)


def direction_track(angle):
    goal = np.stack([np.cos(TIMES), np.sin(TIMES), 0.0 * TIMES], axis=1)
    actual = np.stack([np.cos(TIMES + angle), np.sin(TIMES + angle), 0.0 * TIMES], axis=1)
    return TaskTrack(TIMES, goal, actual, TrackKind.DIRECTION)


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
        expected_goals=1000,
        summary=None,
        bounds=HAND_BOUNDS,
        published=DISASSEMBLY,
    )


@pytest.fixture
def words_alone(monkeypatch):
    """Let reports go without pictures, which take most of the time."""
    monkeypatch.setattr(f"{PLOTS}.write_plots", lambda _record, _folder: [])


def test_errors_are_distances_and_angles(record):
    errors = run_statistics(record).errors
    assert errors["RightHandPosition"].mean == pytest.approx(0.5)
    assert errors["RightHandPosition"].deviation == pytest.approx(0.0, abs=1e-9)
    assert errors["RightHandPosition"].unit == "cm"
    assert errors["RightHandOrientation"].mean == pytest.approx(1.0)
    assert errors["LeftHandOrientation"].at_rest == pytest.approx(0.5)


def test_a_failure_is_told_with_the_troubles_of_the_servo(record):
    spoiled = {**record.tasks, "RightHandPosition": position_track(0.02)}
    far = dataclasses.replace(record, tasks=spoiled)
    above = "RightHandPosition: mean error 2.00 cm, expected at most 0.93 cm"
    assert run_statistics(far).problems == (above,)
    paused = ((-0.5, "error", "early"), (2.0, "warning", "slow"), (3.0, "error", "stood still"))
    troubled = dataclasses.replace(far, notices=paused)
    assert run_statistics(troubled).problems == (
        above,
        "the servo at 3.00 s: stood still",
    )
    many = tuple((float(i), "error", "stood still") for i in range(9))
    assert "6 more errors" in run_statistics(dataclasses.replace(far, notices=many)).problems[-1]


def in_real_time(record, *, rate=1000.0, slowest=400.0, measured=2000.0, sent=1000):
    """A run whose servo was asked for 1000 Hz, with a simulation of 2000 steps a second."""
    summary = {
        "cycles": 10_000,
        "frequency": [999.0, 2.0, slowest, 1100.0],
        "phases": {phase: [1e-3, 2e-3, 3e-3, 4e-3] for phase in PHASES},
        "rate": rate,
        "measured": measured,
    }
    return dataclasses.replace(
        record,
        summary=summary,
        goals=(sent, 0.0),
        servo_frequency=1000.0,
        measurement_period=0.0005,
        problems=("the valve was dropped",),
    )


@pytest.mark.usefixtures("words_alone")
@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ({"rate": 610.4}, "the servo ran at 610 of 1000 Hz"),
        ({"slowest": 8.0}, "the servo stood still for 0.12 s"),
        ({"measured": 1640.0}, "the simulation ran at 82 % of real time"),
        ({"sent": 452}, "the client sent 452 of 1000 rounds of goals"),
        (
            {"rate": 610.4, "sent": 452},
            "the servo ran at 610 of 1000 Hz, the client sent 452 of 1000 rounds of goals",
        ),
    ],
)
def test_a_failure_on_a_busy_machine_says_so(record, tmp_path, lost, told):
    starved = in_real_time(record, **lost)
    statistics = run_statistics(starved)
    assert statistics.excuse == f"the machine was busy: {told}"
    assert statistics.problems == ("the valve was dropped",)
    write_report(starved, statistics, tmp_path)
    assert statistics.excuse in (tmp_path / "report.md").read_text()
    assert json.loads((tmp_path / "report.json").read_text())["lost_time"]
    passed = run_statistics(dataclasses.replace(starved, problems=()))
    assert (passed.verdict, passed.excuse) == ("PASSED", "")


@pytest.mark.parametrize(
    "let_run",
    [{}, {"rate": 960.0}, {"slowest": 25.0}, {"measured": 1920.0}, {"sent": 850}, {"measured": 0}],
)
def test_a_failure_on_a_machine_that_let_it_run_has_no_excuse(record, let_run):
    statistics = run_statistics(in_real_time(record, **let_run))
    assert statistics.problems
    assert statistics.excuse == ""


def test_nobody_is_excused_who_lost_no_real_time(record):
    in_simulated_time = dataclasses.replace(in_real_time(record), summary=None)
    assert run_statistics(in_simulated_time).excuse == ""
    broken = in_real_time(record)
    broken.summary["cycles"] = 0
    assert run_statistics(broken).excuse == ""


@pytest.mark.parametrize("angle", [0.0, 1e-6, 0.3, np.pi / 2, np.pi])
def test_angle_between_quaternions(angle):
    half = angle / 2.0
    goal = np.array([[0.0, 0.0, 0.0, 1.0]])
    actual = np.array([[np.sin(half), 0.0, 0.0, np.cos(half)]])
    for sign in (1.0, -1.0):
        track = TaskTrack(np.zeros(1), goal, sign * actual, TrackKind.ORIENTATION)
        assert track.errors()[0] == pytest.approx(np.degrees(angle), abs=1e-6)


def test_a_good_run_has_no_problems(record):
    assert run_statistics(record).problems == ()


def test_errors_above_the_bound_are_problems(record):
    tasks = {**record.tasks, "LeftHandPosition": position_track(0.0064)}
    (problem,) = run_statistics(dataclasses.replace(record, tasks=tasks)).problems
    assert problem == "LeftHandPosition: mean error 0.64 cm, expected at most 0.64 cm"


@pytest.mark.usefixtures("words_alone")
def test_what_an_evaluator_found_is_told(record, tmp_path):
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
    empty = TaskTrack(np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)), TrackKind.POSITION)
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
        "rate": 998.0,
        "measured": 1000.0,
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


def test_a_servo_without_work_stands_below_ours(record):
    name = "that of a servo without work"
    assert name not in {row.quantity for row in table_rows(run_statistics(record))}
    record = dataclasses.replace(record, idle_frequency=(1000.2, 21.04, 434.4, 1437.0))
    rows = [(row.quantity, row.here) for row in table_rows(run_statistics(record))]
    found = rows.index((name, "1000.2 ± 21.0"))
    assert rows[found - 1][0] == "servo frequency, lowest to highest [Hz]"
    assert rows[found + 1] == ("the same, lowest to highest", "434 to 1437")


@pytest.mark.thorough
def test_writes_the_folder(record, tmp_path):
    assert write_report(record, run_statistics(record), tmp_path) is None
    assert {path.name for path in tmp_path.iterdir()} == {
        "data.npz",
        "report.json",
        "report.md",
        "report.html",
        "positions.png",
        "paths.png",
        "orientations.png",
        "error_histograms.png",
        "error_histograms_2.png",
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
        if name.startswith(("matplotlib", PLOTS)):
            raise ImportError(name)
        return original(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert write_report(record, run_statistics(record), tmp_path) == NO_MATPLOTLIB
    assert not list(tmp_path.glob("*.png"))
    assert "report.md" in {path.name for path in tmp_path.iterdir()}


@pytest.mark.thorough
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


def headings(page):
    return re.findall(r"<th[^>]*>([^<]*)</th>", page.read_text())


def columns(table):
    return [column.header for column in table.columns]


@pytest.mark.usefixtures("words_alone")
def test_columns_that_have_nothing_to_tell_are_left_out(record, tmp_path):
    without_bounds = dataclasses.replace(record, bounds={})
    write_report(record, run_statistics(record), tmp_path)
    assert headings(tmp_path / "report.html") == ["", "here", "paper", ""]
    assert columns(rich_table(run_statistics(record), "hands")) == ["", "here", "paper", ""]
    statistics = run_statistics(without_bounds)
    assert columns(rich_table(statistics, "hands")) == ["", "here", "paper"]
    write_report(without_bounds, statistics, tmp_path)
    assert headings(tmp_path / "report.html") == ["", "here", "paper"]
    text = (tmp_path / "report.md").read_text()
    assert "|  | here | paper |\n|---|---:|---:|\n" in text
    assert "| RightHandPosition error, mean ± std [cm] | 0.50 ± 0.00 | 2.79 ± 0.56 |\n" in text


@pytest.mark.usefixtures("words_alone")
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
    assert NO_ERRORS.strip() in (tmp_path / "report.html").read_text()
    assert rich_table(run_statistics(record), "hands").caption is None


def without_paper(record):
    return dataclasses.replace(record, published=None, bounds={})


@pytest.mark.usefixtures("words_alone")
def test_the_paper_stands_beside_what_it_measured_and_nothing_else(record, tmp_path):
    write_report(without_paper(record), run_statistics(without_paper(record)), tmp_path)
    table = rich_table(run_statistics(without_paper(record)), "arm")
    assert columns(table) == ["", "here"]
    assert table.title == "arm"
    for name in ("report.md", "report.html"):
        assert "aper" not in (tmp_path / name).read_text()


@pytest.mark.usefixtures("words_alone")
@pytest.mark.parametrize("problems", [(), ("the valve was dropped",)])
def test_the_last_word_is_the_verdict_in_both_forms(record, tmp_path, problems):
    judged = dataclasses.replace(record, problems=problems, notices=((1.0, "error", "a < b"),))
    statistics = run_statistics(judged)
    write_report(judged, statistics, tmp_path, ["fsm.png"])
    word = "FAILED" if problems else "PASSED"
    assert statistics.verdict == word
    text = (tmp_path / "report.md").read_text()
    page = (tmp_path / "report.html").read_text()
    assert text.split()[-1] == word
    assert re.sub(r"<[^>]*>", " ", page).split()[-1] == word
    assert "a &lt; b" in page
    assert json.loads((tmp_path / "report.json").read_text())["verdict"] == word
    assert re.findall(r"\((\w+\.png)\)", text) == ["fsm.png"]
    assert 'src="fsm.png"' in page
    words = set(re.findall(r"[\w.±]+", re.sub(r"!\[.*?\)|[#*|]", " ", text)))
    assert words <= set(re.findall(r"[\w.±]+", re.sub(r"<[^>]*>", " ", page)))


def stepping(errors):
    """A goal that rests at one place after another, and a hand that stays off by these errors."""
    place = np.minimum((TIMES / (DURATION / len(errors))).astype(int), len(errors) - 1)
    goal = np.stack([0.1 * place, 0.0 * TIMES, 0.0 * TIMES], axis=1)
    away = np.array(errors)[place]
    return TaskTrack(
        TIMES, goal, goal + np.stack([away, 0 * away, 0 * away], 1), TrackKind.POSITION
    )


def test_goals_that_were_missed_are_counted_apart(record):
    hand = stepping([0.001, 0.08, 0.002, 0.05])
    figures = run_statistics(
        dataclasses.replace(without_paper(record), tasks={"Hand": hand})
    ).errors["Hand"]
    assert (figures.rests, figures.missed) == (4, 2)
    assert figures.nearest == pytest.approx(5.0)
    assert figures.mean == pytest.approx(0.15, abs=0.01)
    rows = {
        row.quantity: row.here
        for row in table_rows(
            run_statistics(dataclasses.replace(without_paper(record), tasks={"Hand": hand}))
        )
    }
    assert rows["Hand goals missed"] == "2 of 4, 5.00 cm off at least"


@pytest.mark.parametrize(("unreachable", "word"), [(1, "FAILED"), (2, "PASSED")])
def test_goals_out_of_reach_on_purpose_may_be_missed(record, unreachable, word):
    hand = stepping([0.001, 0.08, 0.002, 0.05])
    run = dataclasses.replace(
        without_paper(record), tasks={"Hand": hand}, unreachable={"Hand": unreachable}
    )
    assert run_statistics(run).verdict == word


@pytest.mark.usefixtures("words_alone")
@pytest.mark.parametrize("errors", [[0.08], [0.001, 0.08, 0.002, 0.05], [0.001], [0.001, 0.002]])
def test_verdict_agrees_with_missed_goals_everywhere(record, tmp_path, errors):
    missed = sum(error > 0.01 for error in errors)
    run = dataclasses.replace(without_paper(record), tasks={"Hand": stepping(errors)})
    statistics = run_statistics(run)
    word = "FAILED" if missed else "PASSED"
    assert statistics.verdict == word
    told = [f"Hand: goals missed: {missed} of {len(errors)}"] if missed else []
    assert [problem.partition(",")[0] for problem in statistics.problems] == told
    write_report(run, statistics, tmp_path)
    kept = json.loads((tmp_path / "report.json").read_text())
    assert (kept["verdict"], len(kept["problems"])) == (word, len(told))
    assert (tmp_path / "report.md").read_text().rstrip().endswith(word)


def test_where_the_mean_has_a_bound_every_goal_counts(record):
    hand = stepping([0.001, 0.08, 0.002, 0.05])
    bounded = dataclasses.replace(record, tasks={"Hand": hand}, bounds={"Hand": 1.0})
    statistics = run_statistics(bounded)
    assert statistics.errors["Hand"].mean == pytest.approx(3.3, abs=0.1)
    assert statistics.verdict == "FAILED"


def test_a_robot_that_misses_everything_has_an_error(record):
    figures = run_statistics(
        dataclasses.replace(without_paper(record), tasks={"Hand": stepping([0.08])})
    ).errors["Hand"]
    assert (figures.rests, figures.missed) == (1, 1)
    assert figures.mean == pytest.approx(8.0)


def test_a_robot_on_its_way_has_not_missed_its_goal(record):
    goal = np.zeros((len(TIMES), 3))
    away = np.stack([1.0 - 0.05 * TIMES, 0 * TIMES, 0 * TIMES], 1)
    track = TaskTrack(TIMES, goal, away, TrackKind.POSITION)
    figures = run_statistics(
        dataclasses.replace(without_paper(record), tasks={"Hand": track})
    ).errors["Hand"]
    assert (figures.rests, figures.missed) == (1, 0)


@pytest.mark.thorough
def test_every_kind_of_task_is_drawn(record, tmp_path):
    wave = np.sin(TIMES)[:, np.newaxis]
    tasks = {
        f"Base{number}": position_track(0.01 * number) for number in range(4)
    } | {
        "Pressure": TaskTrack(TIMES, wave[:, [0, 0]], wave[:, [0, 0]], TrackKind.POSITION),
        "Heading": direction_track(0.1),
        "Posture": TaskTrack(
            TIMES, np.tile(wave, 9), 0.9 * np.tile(wave, 9), TrackKind.POSTURE,
            tuple(f"joint{i}" for i in range(9)),
        ),
        "Push": TaskTrack(TIMES, 10 * np.tile(wave, 6), np.tile(wave, 6), TrackKind.FORCE),
    }  # fmt: skip
    run = dataclasses.replace(without_paper(record), tasks=tasks)
    statistics = run_statistics(run)
    assert write_report(run, statistics, tmp_path) is None
    drawn = {path.stem for path in tmp_path.glob("*.png")}
    assert drawn >= {"positions", "positions_2", "paths", "orientations", "postures", "forces"}
    assert statistics.errors["Posture"].unit == "rad"
    assert statistics.errors["Posture"].highest == pytest.approx(0.1, abs=1e-3)
    assert statistics.errors["Push"].highest == pytest.approx(9.0 * np.sqrt(3.0), abs=1e-2)
