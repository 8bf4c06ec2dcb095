"""Talos where a test puts it, led by its walking; nothing moves it, so a run is a matter of ms."""

import numpy as np
from robots_for_tests import REPOSITORY
from simulated_hands import DETERMINISTIC

from controlit_ros.locomotion.footstep import Side
from controlit_ros.nodes.building import load_stack
from controlit_ros.servo import Moment

WALK = REPOSITORY / "config" / "talos" / "walk.yaml"
PERIOD = 0.01  # [s]
WEIGHT = 400.0  # [N] on a sole, more than walking asks for


class StandingTalos:
    """A robot that stands, its walking, and the time that a test lets pass."""

    def __init__(self):
        self.stack = load_stack(WALK, DETERMINISTIC)
        (self.walking,) = self.stack.behaviours
        self.model = self.stack.create_model().robot_model
        self.state = self.stack.start
        self.now = 0.0
        self.may_switch = True
        self.legs = self.walking._legs
        self.com = self.walking._com
        self.walking.parameter("adapts_steps").set(False)  # it does not move as planned
        self._home = self.state.base_position.copy()
        self._posture = self.state.position.copy()
        self._defaults = [
            (parameter, parameter.value.copy() if parameter.is_array else parameter.value)
            for owner in (self.walking, self.com, *self._parts())
            for parameter in owner.parameters.values()
        ]

    def _parts(self):
        for leg in self.legs.values():
            yield from (leg.contact, leg.task)

    def restore(self):
        """Be as in the file again."""
        for parameter, value in self._defaults:
            parameter.assign(value)
        self.may_switch = True
        self.state.position[:] = self._posture
        self.begin()

    def begin(self, place=(0.0, 0.0), yaw=0.0):
        """Let control begin with the robot somewhere, turned."""
        self.state.base_position[:2] = place
        self.state.base_position[2] = self._home[2]
        self.state.base_orientation[:] = (0.0, 0.0, np.sin(0.5 * yaw), np.cos(0.5 * yaw))
        self.model.update(self.state)
        self.walking.begin(self.moment)

    @property
    def moment(self):
        return Moment(self.now, self.model, self.may_switch)

    def feel(self, side, force):
        self.legs[side].contact.wrench.value[:] = (0.0, 0.0, force, 0.0, 0.0, 0.0)

    def advance(self, duration, velocity=None):
        """Let time pass; soles on the ground feel it, those in the air when their time is over."""
        for _ in range(round(duration / PERIOD)):
            self.now += PERIOD
            if velocity is not None:
                self.walking.velocity.wanted.set(velocity)
            self.walking.step(self.moment)
            self.check()

    def check(self):
        """See that what the tasks are given is finite and in the robot's reach."""
        motion = self.walking._com_goal
        feet = self.model.center_of_mass().position
        assert np.abs(motion.place.value - feet).max() < 2.0
        for parameter in (*motion, *(p for leg in self.legs.values() for p in leg.goal)):
            assert np.isfinite(parameter.value).all()

    @property
    def standing(self):
        return {side for side in Side if self.legs[side].is_switched(swings=False)}
