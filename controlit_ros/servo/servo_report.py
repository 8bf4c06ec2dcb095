"""ServoReport: what the servo tells of each cycle."""

from controlit_ros.servo.command_guard import CommandGuard
from controlit_ros.servo.intake import Intake
from controlit_ros.servo.latency import LatencyRecorder
from controlit_ros.servo.overrun_watch import OverrunWatch
from controlit_ros.servo.round_trip import RoundTrip
from controlit_ros.servo.servo_status import ServoStatus
from controlit_ros.servo.staleness import Staleness
from controlit_ros.servo.state_machine import StateMachine


class ServoReport:
    """Writes latency and status, for other threads and processes to look at; servo thread.

    Args:
        status: Written at the end of a cycle.
        states: Where the servo stands.
        intake: Which measurement was the last, and how many were refused.
        overruns: Deadlines missed.
        staleness: Cycles with a model too old.
        round_trip: Latency of the communication with the joint controllers.
        guard: Violations of limits.

    Attributes:
        latency: Durations of the phases.
        model_latency: Age of the active model [s].
    """

    def __init__(
        self,
        status: ServoStatus,
        *,
        states: StateMachine,
        intake: Intake,
        overruns: OverrunWatch,
        staleness: Staleness,
        round_trip: RoundTrip,
        guard: CommandGuard,
    ) -> None:
        self.latency = LatencyRecorder()
        self.model_latency = 0.0
        self._status = status
        self._states = states
        self._intake = intake
        self._overruns = overruns
        self._staleness = staleness
        self._round_trip = round_trip
        self._guard = guard

    def begin(self, now: float) -> None:
        """Count a start, at a time [s]."""
        self._status.count_start(now)

    def keep(self, begin: float, elapsed: float, durations: tuple[float, ...]) -> None:
        """Record a whole cycle.

        Args:
            begin: When the cycle began [s].
            elapsed: Since the cycle before began [s].
            durations: Of its `PHASES` [s].
        """
        self.latency.period = elapsed
        if self._overruns.in_a_row:
            self._status.note_gap(elapsed)
        self.latency.measurement = sequence = self._intake.state.sequence
        self._status.write_time(begin)
        self.latency.record(durations)
        self._write(sequence)

    def keep_broken(self, begin: float, cycles: int) -> None:
        """Count a cycle that broke off.

        Args:
            begin: When the cycle began [s].
            cycles: How many there were before.
        """
        self._status.write_time(begin)
        self.latency.cycles = cycles + 1
        self.write()

    def write(self) -> None:
        """Show how everything stands."""
        self._write(self._intake.state.sequence)

    def _write(self, sequence: int) -> None:
        latency, overruns, staleness = self.latency, self._overruns, self._staleness
        self._status.write(
            self._states.state,
            latency.cycles,
            latency.overruns,
            sequence,
            self.model_latency,
            overruns.missed,
            overruns.pauses,
            staleness.cycles,
            staleness.inline_updates,
            self._round_trip.latency,
            self._guard.violations,
            1.0 / latency.period if latency.period else 0.0,
            self._intake.refused,
        )
