"""Arms make way for a ball and for each other, in simulated time; WBOSC beside it does not."""

import json

import numpy as np
import pytest
from robots_for_tests import needs_example_robots

from controlit_demos.comparison.distance_observer import DISTANCE
from controlit_demos.obstacle import arms_scenario, ball_scenario
from controlit_demos.obstacle.ball import Ball
from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions

MARGIN = 30.0  # [mm]


@pytest.mark.simulation
@needs_example_robots
def test_distances_are_kept_by_the_program_alone(tmp_path, monkeypatch):
    """The same scenarios, faster and with a pass less."""
    monkeypatch.setattr(ball_scenario, "PASSES", (((0.0, 0.35, 0.0), ball_scenario.FAST),))
    monkeypatch.setattr(ball_scenario, "REACH_TIME", 3.0)
    monkeypatch.setattr(arms_scenario, "TIME", 2.0)
    for scenario in (ball_scenario, arms_scenario):
        monkeypatch.setattr(scenario, "SETTLE", 1.2)
    assert run_demo("obstacle", DemoOptions(folder=tmp_path, quiet=True)) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["verdict"] == "PASSED"
    for scenario in report["scenarios"]:
        kept, given_up = (scenario["figures"][name] for name in ("WholeBodyQP", "WBOSC"))
        assert kept[DISTANCE] < MARGIN + 1.0  # bodies were in the way
        assert given_up[DISTANCE] < -20.0
        assert not any(scenario["ends"].values())
    for name in ("report.md", "report.html", "scenario_1.png", "scenario_2.png", "data.npz"):
        assert (tmp_path / name).stat().st_size > 0


class Listener:
    """A transport that keeps what is published."""

    def __init__(self):
        self.heard = {}

    def publisher(self, topic, _type_name, _qos):
        """Return somebody who keeps the messages of a topic."""
        messages = self.heard[topic] = []

        class Publisher:
            def publish(self, message):
                messages.append([message.x, message.y, message.z])

        return Publisher()


class Seen:
    """Somebody who sees a ball."""

    ball = None


def test_a_ball_tells_where_it_is_and_stops_where_it_shall():
    listener, seen = Listener(), Seen()
    ball = Ball(listener, seen, np.array([0.0, 0.0, 1.0]))
    ball.move(5.0)
    ball.go([0.2, 0.0, 1.0], 5.0, 2.0)
    for now in (5.5, 6.0, 8.0):
        assert ball.move(now)
    places, speeds = listener.heard["ball/position"], listener.heard["ball/velocity"]
    np.testing.assert_allclose(np.array(places)[:, 0], [0.0, 0.05, 0.1, 0.2])
    np.testing.assert_allclose(np.array(speeds)[:, 0], [0.0, 0.1, 0.1, 0.0])
    np.testing.assert_allclose(seen.ball, [0.2, 0.0, 1.0])
