"""ThreadWatch: whether the servo's threads come in time."""

from functools import partial

from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.model_updater import ModelUpdater
from controlit_ros.servo.overrun_watch import OverrunPolicy, OverrunWatch, Timeliness
from controlit_ros.servo.task_updater import TaskUpdater
from controlit_ros.servo.watchdog import Watchdog


class ThreadWatch:
    """Sees whether the servo thread misses deadlines and an updater does not come back.

    Args:
        overruns: Judges the servo thread.
        models: An updater that is watched.
        tasks: The other.
        timeout: Time after which an updater counts as hung [s].
        faults: Is told what is wrong.
    """

    def __init__(
        self,
        overruns: OverrunWatch,
        models: ModelUpdater,
        tasks: TaskUpdater,
        timeout: float,
        faults: CycleFaults,
    ) -> None:
        self._overruns = overruns
        self._watched: tuple[tuple[Watchdog, ModelUpdater | TaskUpdater], ...] = (
            (Watchdog(timeout), models),
            (Watchdog(timeout), tasks),
        )
        self._faults = faults

    def begin(self, now: float) -> None:
        """Count from now [s]."""
        for dog, _ in self._watched:
            dog.begin(now)

    def look(self, now: float, elapsed: float) -> bool:
        """Judge a cycle by the time since the start of the last one [s].

        Returns:
            Whether the model can no longer be relied on.
        """
        timeliness = self._overruns.look(elapsed)
        if timeliness is Timeliness.AFTER_PAUSE:
            self.begin(now)
            self._faults.fail("pause", f"the servo stood still for {elapsed:.3f} s", now)
            return True
        if timeliness is Timeliness.LATE:
            self._tell_lateness(now)
        must_renew = False
        for dog, updater in self._watched:
            if complaint := dog.complaint(updater, now):
                must_renew = True
                text = partial(_describe_hang, complaint, updater)
                self._faults.fail(f"{updater.name} hangs", text, now)
        return must_renew

    def rehearse(self, now: float) -> None:
        """Do the work of a cycle to no effect."""
        for dog, updater in self._watched:
            dog.complaint(updater, now)

    def _tell_lateness(self, now: float) -> None:
        overruns = self._overruns
        limit, found = overruns.settings.limit, overruns.in_a_row
        text = f"{found} deadlines missed in a row, expected at most {limit}"
        if overruns.settings.policy is OverrunPolicy.SAFE:
            self._faults.fail("overruns", text, now)
        else:
            self._faults.warn("overruns", text, now)


def _describe_hang(complaint: str, updater: ModelUpdater | TaskUpdater) -> str:
    call = updater.describe_call()
    return f"{complaint}; it is in {call}" if call else complaint
