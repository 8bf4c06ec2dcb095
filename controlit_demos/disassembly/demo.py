"""DisassemblyDemo: Dreamer takes a valve off a tube and stores the tube."""

from pathlib import Path
from typing import Any

from controlit_demos.disassembly.evaluator import DisassemblyEvaluator
from controlit_demos.disassembly.placement import perceived, random_placement
from controlit_demos.disassembly.scene import write_scene
from controlit_demos.disassembly.scene_view import scene_view
from controlit_demos.disassembly.states import disassembly_states
from controlit_demos.hands.demo import HAND_TASKS
from controlit_demos.programs.demo_course import DemoCourse
from controlit_demos.programs.program import Program
from controlit_demos.programs.state_diagram import write_diagram
from controlit_demos.programs.state_program import StateProgram
from controlit_demos.running.demo import Demo
from controlit_demos.running.evaluator import Evaluator
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.recording.paper_figures import DISASSEMBLY
from controlit_ros.share import share_directory

SCENE = "scenes/disassembly.xml"  # below config

READY = {"shoulder_extensor": 0.15, "shoulder_abductor": 0.2, "elbow": 1.35}
"""Arm posture [rad] with the forearm level, other joints at zero."""

POSITION_NOISE = 2e-4  # [rad or m] standard deviation of the sensors: a hundredth of a degree
VELOCITY_NOISE = 5e-3  # [rad/s or m/s]

BOUNDS = {
    "RightHandPosition": 0.5,
    "LeftHandPosition": 0.5,
    "RightHandOrientation": 2.0,
    "LeftHandOrientation": 2.0,
}
"""Mean errors of the hands [cm or degrees]."""


class DisassemblyDemo(Demo):
    """Dreamer takes a valve off a tube and stores the tube, as a finite state machine.

    The paper's product disassembly as a finite state machine, on a simulated tube and valve.
    """

    name = "disassembly"
    title = "Dreamer, product disassembly"
    configuration_name = "dreamer/disassembly.yaml"
    labels = HAND_TASKS
    bounds = BOUNDS
    published = DISASSEMBLY

    def settings(self, seed: int, folder: Path) -> dict[str, Any]:
        """Put things where the seed wants them, and give the sensors noise."""
        scene = write_scene(share_directory() / "config" / SCENE, random_placement(seed), folder)
        return {
            "simulator.scene": str(scene),
            "simulator.position_noise": POSITION_NOISE,
            "simulator.velocity_noise": VELOCITY_NOISE,
            "simulator.seed": seed,
        }

    def program(self, stack: ControllerStack, seed: int) -> Program:
        """Return the machine; it knows of things only what is perceived of them."""
        joints = stack.robot.actuable_joints
        initial = simulated_robot(stack).parameter("initial_position").value
        hanging = dict(zip(stack.robot.real_joints, initial.tolist(), strict=True))
        ready = {**hanging, **{f"{s}_{j}": q for s in ("right", "left") for j, q in READY.items()}}
        states = disassembly_states(joints, ready, perceived(random_placement(seed), seed))
        return StateProgram(states)

    def illustrate(self, program: Program, course: DemoCourse, folder: Path) -> list[str]:
        """Draw the machine and the way it went."""
        assert isinstance(program, StateProgram)
        return write_diagram(program, course.phases, folder)

    def evaluator(self, stack: ControllerStack, seed: int) -> Evaluator:
        """Return who follows tube and valve."""
        return DisassemblyEvaluator(scene_view(stack), random_placement(seed))
