"""CommandShaping: what becomes of a command before the robot gets it."""

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
from controlit_ros.servo.routine import Routine


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
    ) -> None:
        self.command = command
        self._fallback = fallback
        self._friction = friction
        self._guard = guard
        self._watch = watch
        self._falls = falls
        self._intake = intake
        self._swap = swap
        self._round_trip = round_trip
        models = swap.models.active, swap.models.inactive
        self._active = {model: self._whole(model, is_active=True) for model in models}
        self._safe = {model: self._whole(model, is_active=False) for model in models}
        self._blind = self._whole(None, is_active=False)

    def shape(self, state: CoordinatorState, share: float, now: float) -> None:
        """Settle what the robot will get.

        Args:
            state: Active or safe.
            share: How much of it is the fallback, from 0: nothing to 1: all.
            now: Time on the servo's clock [s].
        """
        is_active = state is CoordinatorState.ACTIVE
        if is_active:
            self._friction.compensate(self.command, self._intake.state, self._swap.model)
        if share > 0.0:
            self._blend(share, now)
        self._routine(is_active=is_active).run(now)

    def _routine(self, *, is_active: bool) -> Routine:
        """Return what is done to commands in the present cycle."""
        if is_active:
            return self._active[self._swap.model]
        if self._falls.has_fallen:
            return self._blind  # the contacts in the model carry nothing
        if self._swap.is_current and not self._intake.is_silent:
            return self._safe[self._swap.model]
        return self._blind

    def _whole(self, model: ConstrainedModel | None, *, is_active: bool) -> Routine:
        """Put together what is done.

        Args:
            model: Newest there is; `None`: none to rely on, and no joint is kept inside its limits.
            is_active: Whether control is.
        """
        command, state = self.command, self._intake.state
        # also what was blended
        duties = [self._watch.asking(command, state), *self._guard.enforcing(command)]
        if model is not None:
            duties += self._guard.keeping_inside(
                command, state, model, self._round_trip.believed, self._friction.taking(state)
            )
        duties += self._friction.following(command, state, is_active=is_active)
        gravity = model.bias_effort if model is not None and is_active else None
        return Routine([*duties, *self._watch.looking(command, state, gravity)])

    def _blend(self, share: float, now: float) -> None:
        swap, intake = self._swap, self._intake
        model = swap.model if swap.has_model else None
        self._fallback.update(
            model,
            intake.state,
            is_silent=intake.is_silent,
            fallen_share=self._falls.effort_share(now) if self._falls.has_fallen else None,
        )
        self._fallback.blend(self.command, share)
