"""Tasks under a controller on a robot that moves as its own equations say."""

import numpy as np
from robots_for_tests import configured, dreamer, moved, velocity
from test_wbosc import TORSO, Setup, dreamer_setup
from test_whole_body_qp import quadratic

from controlit_ros.constraints.coactuation import Coactuation
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.controllers.hierarchical import Hierarchical
from controlit_ros.controllers.weighted import Weighted

CONTROLLERS = ("WBOSC", "Weighted", "Hierarchical")
PERIOD = 1e-3


def feeling_setup(tasks, body):
    """Return Dreamer with a contact at a body that constrains nothing."""
    plain = dreamer()
    touch = configured(FlatContact("touch", plain), body=body)
    description = plain.with_contacts([touch.site])
    constraints = (
        configured(FlatContact("base", description)),
        configured(Coactuation("torso", description), **TORSO),
    )
    return Setup(description, constraints, tasks(description))


class ClosedLoop:
    """Dreamer, bolted, under tasks; integrated by forward dynamics of Pinocchio.

    Args:
        tasks: Makes them of the robot's description.
        controller: One of `CONTROLLERS`.
        effort: Limit of every joint, of programs.
        seed: Of where it starts, at rest.
        contact: Body that can feel what touches it, by a disabled contact; `wrench` is what it
            feels.
    """

    def __init__(self, tasks, controller="WBOSC", *, effort=1e6, seed=1, contact=""):
        self.wrench = np.full(6, np.nan)
        self.setup = feeling_setup(tasks, contact) if contact else dreamer_setup(tasks)
        self.tasks = {task.name: task for task in self.setup.tasks}
        self.controller = self.setup.controller
        if controller != "WBOSC":
            prioritisation = {"Weighted": Weighted, "Hierarchical": Hierarchical}[controller]
            self.controller = quadratic(self.setup, prioritisation, effort=effort)
        self.state = self.setup.consistent_state(np.random.default_rng(seed), speed=0.0)
        self.acceleration = np.zeros(self.setup.description.nv)

    def effort(self):
        self.setup.update(self.state)
        self.setup.model.robot_model.state.contact_wrench[:] = self.wrench
        self.setup.compound.compute(PERIOD)
        self.controller.compute_command(self.setup.model, self.setup.compound, self.setup.command)
        return self.setup.command.effort.copy()

    def step(self, push=0.0):
        """Move on by a period, while a generalised force `(nv,)` pushes the robot."""
        effort = self.effort()
        description = self.setup.description
        v = velocity(description, self.state)
        self.acceleration = self.setup.acceleration(self.state, effort, load=-np.asarray(push))
        v = v + PERIOD * self.acceleration
        self.state = moved(description, self.state, PERIOD * v, v)
        return effort

    def advance(self, time, push=0.0):
        for _ in range(round(time / PERIOD)):
            self.step(push)
