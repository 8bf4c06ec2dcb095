"""The example of a client in C++, run against controllers of ours."""

import re
import subprocess

import pytest
from patience import GENEROUS, HOLDS_ON
from robots_for_tests import REPOSITORY
from ros2_commands import ENVIRONMENT, Running, needs

HAND = REPOSITORY / "test" / "cli" / "controllers" / "hand.yaml"
PLACE = ("0.30", "-0.30", "1.00")

pytestmark = [
    pytest.mark.timeout(600),
    needs("controlit", "cpp_client"),
]


@pytest.fixture(scope="module", params=["dds", "rclpy"])
def controller(request):
    """Name of a controller of Dreamer's hand."""
    name = f"cpp_on_{request.param}"
    words = ("run", "controlit", "controlit", "run", str(HAND), "--set", f"name={name}")
    with Running(*words, "--transport", request.param, *HOLDS_ON) as servo:
        servo.wait_for("control is active")
        yield f"/{name}"


def move_task(*arguments):
    """Run the program; return its exit code and what it printed."""
    done = subprocess.run(
        ["ros2", "run", "cpp_client", "move_task", *arguments],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=GENEROUS,
        check=False,
    )
    return done.returncode, done.stdout


def test_it_moves_a_hand_and_tells_how_far_it_is(controller):
    code, output = move_task(controller, "RightHandPosition", *PLACE)
    assert code == 0, output
    told = [float(share) for share in re.findall(r"(\d+) %, [\d.]+ s left", output)]
    assert len(told) > 3
    assert told == sorted(told)
    assert re.search(r"code 0, error 0\.0[01]\d*: ", output)


def test_it_is_told_that_a_goal_is_rejected(controller):
    code, output = move_task(controller, "RigthHandPosition", *PLACE)
    assert code != 0
    assert "rejected" in output
