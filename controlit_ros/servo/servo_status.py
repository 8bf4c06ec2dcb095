"""ServoStatus: where a servo stands, for whoever looks, also from another process."""

from collections.abc import Callable
from struct import Struct
from threading import get_ident
from time import monotonic
from typing import Generic, TypeVar

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.failing_part import describe_thread
from controlit_ros.servo.shared_memory import Memory, private_memory

WORD = 8  # [bytes]
I_STATE, I_CYCLES, I_OVERRUNS, I_SEQUENCE, I_MODEL_LATENCY = range(5)
I_MISSED, I_PAUSES, I_STALE_CYCLES, I_INLINE_UPDATES, I_ROUND_TRIP, I_VIOLATIONS = range(5, 11)
I_FREQUENCY, I_REFUSED, I_STARTS, I_NOW, I_HEARTBEAT, I_ENDED, I_GAP, WORDS = range(11, 19)
CALL_SIZE = 240  # [bytes] of the text of `call`
QUIET = 0.04  # [s] without a sign of life after which the servo thread may be in a blocking call
OF_A_CYCLE = Struct(f"@{I_STARTS}d")  # the first of them, written at once
STATES = tuple(CoordinatorState)


_T = TypeVar("_T")


class _Number(Generic[_T]):
    """One of the numbers, read in place as a value of some type."""

    def __init__(self, index: int, convert: Callable[[float], _T]) -> None:
        self._index = index
        self._convert = convert

    def __get__(self, status: "ServoStatus", _owner: object = None) -> _T:
        return self._convert(status.numbers[self._index])


class ServoStatus:
    """Numbers that the servo writes at the end of each cycle; each is whole, whenever it is read.

    Args:
        memory: Where they are.

    Attributes:
        numbers: All of them.
        array: The same memory.
    """

    state = _Number(I_STATE, lambda number: STATES[int(number)])
    """Where the coordinator stands."""
    cycles = _Number(I_CYCLES, int)
    """Cycles since the start."""
    overruns = _Number(I_OVERRUNS, int)
    """Cycles that ended after the next one should have begun."""
    sequence = _Number(I_SEQUENCE, int)
    """Number of the last measurement of the robot."""
    model_latency = _Number(I_MODEL_LATENCY, float)
    """Age of the active model [s]."""
    missed = _Number(I_MISSED, int)
    """Deadlines missed since the start."""
    pauses = _Number(I_PAUSES, int)
    """Times the servo stood still."""
    stale_cycles = _Number(I_STALE_CYCLES, int)
    """Cycles whose model was too far from the robot's state."""
    inline_updates = _Number(I_INLINE_UPDATES, int)
    """Times the servo updated such a model itself."""
    round_trip = _Number(I_ROUND_TRIP, float)
    """Latency of the communication with the joint controllers [s]; not a number: unknown."""
    violations = _Number(I_VIOLATIONS, int)
    """Violations of limits by commands or joints, one a cycle and joint."""
    refused = _Number(I_REFUSED, int)
    """Measurements, of the robot or of odometry, that were refused because they cannot be."""
    starts = _Number(I_STARTS, int)
    """How often time began for the servo: once, and again when its clock jumps."""
    now = _Number(I_NOW, float)
    """When the last cycle began, on the servo's clock [s].

    Of a time after a jump the servo has counted the start: look at `starts` afterwards.
    """
    heartbeat = _Number(I_HEARTBEAT, float)
    """When the servo thread last gave a sign of life, on the machine's monotonic clock [s]."""
    has_ended = _Number(I_ENDED, bool)
    """Whether the servo thread ended without having been told to."""

    def __init__(self, memory: Memory = private_memory) -> None:
        self._thread: int | None = None
        self._call = memory(CALL_SIZE)
        whole = memory(WORD * WORDS)
        self.numbers = whole.cast("d")
        self.array: Array = np.frombuffer(whole)
        self._of_a_cycle = whole[: OF_A_CYCLE.size]
        self._next = bytearray(OF_A_CYCLE.size)

    def beat(self) -> None:
        """Give a sign of life; servo thread, also while it waits for time to go on."""
        self.numbers[I_HEARTBEAT] = monotonic()

    def note_gap(self, elapsed: float) -> None:
        """Keep the longest time between two cycles [s] until it is taken; servo thread."""
        self.numbers[I_GAP] = max(self.numbers[I_GAP], elapsed)

    def take_gap(self) -> float:
        """Return the longest time between two cycles since this was last asked [s]; one reader.

        One noted in the very moment may count for the next time as well, or be lost.
        """
        gap: float = self.numbers[I_GAP]
        self.numbers[I_GAP] = 0.0
        return gap

    @property
    def call(self) -> str:
        """The part that the servo thread did not return from, by the last `note_call`."""
        return bytes(self._call).rstrip(b"\0").decode(errors="ignore")

    def note_call(self) -> None:
        """Write which part the servo thread is in while it gives no sign of life.

        Any thread of the servo's process; of another process it has no effect.
        """
        if self._thread is None:
            return
        is_quiet = monotonic() - self.heartbeat > QUIET
        text = describe_thread(self._thread) if is_quiet else ""
        self._call[:] = text.encode()[:CALL_SIZE].ljust(CALL_SIZE, b"\0")

    def tell_end(self, *, has_ended: bool) -> None:
        """Tell whether the servo thread ended by itself; servo thread, or who starts it."""
        self.numbers[I_ENDED] = has_ended

    def count_start(self, now: float) -> None:
        """Count a beginning of time [s]; servo thread."""
        self._thread = get_ident()
        self.numbers[I_STARTS] += 1.0
        self.numbers[I_NOW] = now
        self.beat()

    def write_time(self, now: float) -> None:
        """Tell when a cycle began [s]; servo thread."""
        self.numbers[I_NOW] = now

    def write(
        self,
        state: CoordinatorState,
        cycles: int,
        overruns: int,
        sequence: int,
        model_latency: float,
        missed: int,
        pauses: int,
        stale_cycles: int,
        inline_updates: int,
        round_trip: float,
        violations: int,
        frequency: float,
        refused: int,
    ) -> None:
        """Replace the numbers, and give a sign of life; servo thread, or who stopped it.

        They are packed aside: `pack_into` writes zeros first, which another process would read, a
        state among them.
        """
        OF_A_CYCLE.pack_into(
            self._next,
            0,
            STATES.index(state),
            cycles,
            overruns,
            sequence,
            model_latency,
            missed,
            pauses,
            stale_cycles,
            inline_updates,
            round_trip,
            violations,
            frequency,
            refused,
        )
        self._of_a_cycle[:] = self._next
        self.numbers[I_HEARTBEAT] = monotonic()
