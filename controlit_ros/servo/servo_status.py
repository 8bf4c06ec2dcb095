"""ServoStatus: where a servo stands, for whoever looks, also from another process."""

from time import monotonic

from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.shared_memory import Memory, private_memory

WORD = 8  # [bytes]
I_STATE, I_CYCLES, I_OVERRUNS, I_SEQUENCE, I_MODEL_LATENCY = range(5)
I_MISSED, I_PAUSES, I_STALE_CYCLES, I_INLINE_UPDATES, I_ROUND_TRIP, I_VIOLATIONS = range(5, 11)
I_STARTS, I_NOW, I_HEARTBEAT, I_ENDED, I_REFUSED, WORDS = range(11, 17)
STATES = tuple(CoordinatorState)


class ServoStatus:
    """Numbers that the servo writes at the end of each cycle; each is whole, whenever it is read.

    Args:
        memory: Where they are.
    """

    def __init__(self, memory: Memory = private_memory) -> None:
        self._numbers = memory(WORD * WORDS).cast("d")

    @property
    def state(self) -> CoordinatorState:
        """Where the coordinator stands."""
        return STATES[int(self._numbers[I_STATE])]

    @property
    def cycles(self) -> int:
        """Cycles since the start."""
        return int(self._numbers[I_CYCLES])

    @property
    def overruns(self) -> int:
        """Cycles that ended after the next one should have begun."""
        return int(self._numbers[I_OVERRUNS])

    @property
    def sequence(self) -> int:
        """Number of the last measurement of the robot."""
        return int(self._numbers[I_SEQUENCE])

    @property
    def model_latency(self) -> float:
        """Age of the active model [s]."""
        return self._numbers[I_MODEL_LATENCY]

    @property
    def missed(self) -> int:
        """Deadlines missed since the start."""
        return int(self._numbers[I_MISSED])

    @property
    def pauses(self) -> int:
        """Times the servo stood still."""
        return int(self._numbers[I_PAUSES])

    @property
    def stale_cycles(self) -> int:
        """Cycles whose model was too far from the robot's state."""
        return int(self._numbers[I_STALE_CYCLES])

    @property
    def inline_updates(self) -> int:
        """Times the servo updated such a model itself."""
        return int(self._numbers[I_INLINE_UPDATES])

    @property
    def round_trip(self) -> float:
        """Latency of the communication with the joint controllers [s]; not a number: unknown."""
        return self._numbers[I_ROUND_TRIP]

    @property
    def violations(self) -> int:
        """Violations of limits by commands or joints, one a cycle and joint."""
        return int(self._numbers[I_VIOLATIONS])

    @property
    def refused(self) -> int:
        """Measurements, of the robot or of odometry, that were refused because they cannot be."""
        return int(self._numbers[I_REFUSED])

    @property
    def starts(self) -> int:
        """How often time began for the servo: once, and again when its clock jumps."""
        return int(self._numbers[I_STARTS])

    @property
    def now(self) -> float:
        """When the last cycle began, on the servo's clock [s].

        Of a time after a jump the servo has counted the start: look at `starts` afterwards.
        """
        return self._numbers[I_NOW]

    @property
    def heartbeat(self) -> float:
        """When the servo thread last gave a sign of life, on the machine's monotonic clock [s]."""
        return self._numbers[I_HEARTBEAT]

    @property
    def has_ended(self) -> bool:
        """Whether the servo thread ended without having been told to."""
        return self._numbers[I_ENDED] != 0.0

    def beat(self) -> None:
        """Give a sign of life; servo thread, also while it waits for time to go on."""
        self._numbers[I_HEARTBEAT] = monotonic()

    def tell_end(self, *, has_ended: bool) -> None:
        """Tell whether the servo thread ended by itself; servo thread, or who starts it."""
        self._numbers[I_ENDED] = has_ended

    def count_start(self, now: float) -> None:
        """Count a beginning of time [s]; servo thread."""
        self._numbers[I_STARTS] += 1.0
        self._numbers[I_NOW] = now
        self.beat()

    def write_time(self, now: float) -> None:
        """Tell when a cycle began [s]; servo thread."""
        self._numbers[I_NOW] = now

    def write(
        self,
        state: CoordinatorState,
        cycles: int,
        overruns: int,
        sequence: int,
        model_latency: float,
    ) -> None:
        """Replace the numbers; servo thread, or who stopped it."""
        numbers = self._numbers
        numbers[I_STATE] = STATES.index(state)
        numbers[I_CYCLES] = cycles
        numbers[I_OVERRUNS] = overruns
        numbers[I_SEQUENCE] = sequence
        numbers[I_MODEL_LATENCY] = model_latency
        self.beat()

    def write_watches(
        self,
        missed: int,
        pauses: int,
        stale_cycles: int,
        inline_updates: int,
        round_trip: float,
        violations: int,
        refused: int,
    ) -> None:
        """Replace what the servo's watches counted; servo thread."""
        numbers = self._numbers
        numbers[I_MISSED] = missed
        numbers[I_PAUSES] = pauses
        numbers[I_STALE_CYCLES] = stale_cycles
        numbers[I_INLINE_UPDATES] = inline_updates
        numbers[I_ROUND_TRIP] = round_trip
        numbers[I_VIOLATIONS] = violations
        numbers[I_REFUSED] = refused
