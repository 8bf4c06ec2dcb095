"""CommandShaping: what becomes of a command before the robot gets it."""

import math

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.servo.command_guard import CommandGuard
from controlit_ros.servo.command_watch import CommandWatch
from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.fall_watch import FallWatch
from controlit_ros.servo.fallback_command import FallbackCommand
from controlit_ros.servo.friction import Friction
from controlit_ros.servo.intake import Intake
from controlit_ros.servo.model_swap import ModelSwap
from controlit_ros.servo.round_trip import RoundTrip


class CommandShaping:
    """Adds what overcomes friction, blends with the fallback, holds to the limits; servo thread.

    Args:
        command: Changed in place.
        fallback: What is blended in.
        friction: What is added while control is active.
        guard: Knows the limits.
        watch: Sees what is asked for and what is left of it.
        falls: Knows whether the robot has fallen.
        intake: What is known of the robot.
        swap: What is known of its model.
        round_trip: How old what is known will be when the command acts.
        stated_delay: The same, for robots that reflect no numbers of commands [s].
    """

    def __init__(
        self,
        command: Command,
        *,
        fallback: FallbackCommand,
        friction: Friction,
        guard: CommandGuard,
        watch: CommandWatch,
        falls: FallWatch,
        intake: Intake,
        swap: ModelSwap,
        round_trip: RoundTrip,
        stated_delay: float,
    ) -> None:
        self._command = command
        self._fallback = fallback
        self._friction = friction
        self._guard = guard
        self._watch = watch
        self._falls = falls
        self._intake = intake
        self._swap = swap
        self._round_trip = round_trip
        self._stated_delay = stated_delay

    def shape(self, state: CoordinatorState, share: float, now: float) -> None:
        """Settle what the robot will get.

        Args:
            state: Active or safe.
            share: How much of it is the fallback, from 0: nothing to 1: all.
            now: Time on the servo's clock [s].
        """
        command, intake, swap = self._command, self._intake, self._swap
        measured, model = intake.state, swap.model
        is_active = state is CoordinatorState.ACTIVE
        if is_active:
            self._friction.compensate(command, measured, model)
        if share > 0.0:
            self._blend(share)
        # also what was blended
        self._watch.ask(command, measured)
        self._guard.enforce(command, now)
        if is_active or (swap.is_current and not intake.is_silent):
            self._keep_inside(model, now)
        self._friction.follow(command, measured, state)
        self._watch.look(command, measured, model.bias_effort if is_active else None, now)

    def _blend(self, share: float) -> None:
        swap, intake = self._swap, self._intake
        model = swap.model if swap.has_model else None
        self._fallback.update(
            model,
            intake.state,
            is_silent=intake.is_silent,
            has_fallen=self._falls.has_fallen,
        )
        self._fallback.blend(self._command, share)

    def _keep_inside(self, model: ConstrainedModel, now: float) -> None:
        measured, latency = self._intake.state, self._round_trip.latency
        if math.isnan(latency):  # the robot reflects no numbers
            latency = self._stated_delay
        friction = self._friction.taken(measured)
        self._guard.keep_inside(self._command, measured, model, now, latency, friction)
