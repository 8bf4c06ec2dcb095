"""Record what a controller publishes into a bag of ROS 2, and read it back.

The bag is what `ros2 bag`, PlotJuggler and Foxglove open; `controlit record` and `controlit report`
do the same from the command line.
"""

import tempfile
from pathlib import Path

from controlit_ros.scripting import BagRecorder, SimulatedController, read_run

HANDS = "package://controlit/config/dreamer/hands.yaml"

with tempfile.TemporaryDirectory() as folder:
    bag = Path(folder) / "hands"
    with (
        SimulatedController(HANDS) as controller,
        BagRecorder(bag, controller.transport, clock=lambda: controller.time) as recorder,
    ):
        recorder.add_all(controller.transport.graph(), "/dreamer_controller")
        controller.advance(0.5)
        begin = controller.task("RightHandPosition").actual.value
        controller.set("RightHandPosition.goal_position", begin + [0.02, 0.0, 0.02])
        controller.advance(3.0)
    print(f"{sum(recorder.written.values())} messages of {len(recorder.written)} topics")
    run = read_run(bag)

hand = run.tasks["RightHandPosition"]
print(
    f"{run.name}: {run.duration:.1f} s, {len(run.joint_names)} joints, tasks {', '.join(run.tasks)}"
)
print(f"the hand rose by {1e3 * (hand.actual[-1][2] - hand.actual[0][2]):.1f} mm")
assert abs(hand.actual[-1][2] - hand.actual[0][2] - 0.02) < 2e-3
