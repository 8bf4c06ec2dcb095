"""Behaving: behaviours of a file have their turn in every cycle."""

from collections.abc import Iterable, Sequence

from controlit_ros.parameters import ParameterReflection
from controlit_ros.servo.behaviour import Behaviour, Moment
from controlit_ros.servo.behaviours import ServoAccess
from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.failing_part import describe_failure
from controlit_ros.servo.parameter_guard import ParameterGuard


class Behaving:
    """Lets behaviours lead tasks and contacts while control is active; a `CyclePart`.

    Args:
        behaviours: In the order in which they have their turn; they begin anew with control.
        parts: Tasks and constraints they may lead, whose parameters are guarded.
    """

    name = "behaviours"

    def __init__(
        self, behaviours: Sequence[Behaviour], parts: Iterable[ParameterReflection] = ()
    ) -> None:
        self._behaviours = tuple(behaviours)
        self._guard = ParameterGuard(parts if behaviours else ())
        self._has_begun = False

    def begin(self, now: float) -> None:  # noqa: ARG002 - they begin with control
        """Let all begin anew with control."""
        self._has_begun = False

    def act(self, now: float, servo: ServoAccess) -> None:
        """Let each lead on; after mail, before contacts and model."""
        if not self._behaviours:
            return
        model = servo.model if servo.state is CoordinatorState.ACTIVE else None
        if model is None:
            self._has_begun = False
            return
        moment = Moment(now, model, servo.updaters_rest)
        for behaviour in self._behaviours:
            self._lead(behaviour, moment, servo)
        self._has_begun = True

    def _lead(self, behaviour: Behaviour, moment: Moment, servo: ServoAccess) -> None:
        def refuse(text: str) -> None:
            name = behaviour.name
            text = f"behaviour {name!r} set {text}; the value before is kept"
            servo.warn(f"value of {name}", text, moment.now)

        self._guard.keep()
        try:
            if not self._has_begun:
                behaviour.begin(moment)
            behaviour.step(moment)
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            text = describe_failure(error, f"behaviour {behaviour.name!r} failed")
            servo.fail(f"behaviour {behaviour.name}", text, moment.now)
            return
        finally:
            self._guard.restore(refuse)
        if behaviour.waits:
            servo.let_updaters_rest()
        if behaviour.complaint:
            text = f"{behaviour.name}: {behaviour.complaint}"
            servo.warn(f"complaint of {behaviour.name}", text, moment.now)
