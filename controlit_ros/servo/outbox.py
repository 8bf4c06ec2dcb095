"""Outbox: everything the servo says, delivered by one writer thread."""

import logging
import math
import threading
import time
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from controlit_ros.errors import told
from controlit_ros.kernels.offer_rows import RAISED
from controlit_ros.running_thread import running_thread
from controlit_ros.servo.agenda import SPREAD, Agenda, raised_in
from controlit_ros.servo.arena import Arena
from controlit_ros.servo.hand_off import hand_off_size
from controlit_ros.servo.queue import LocalQueue, Queue, SharedQueue
from controlit_ros.servo.row_copies import RowCopies
from controlit_ros.servo.sampler import Sampler
from controlit_ros.servo.wake_event import ProcessWakeEvent, ThreadWakeEvent, WakeEvent

_log = logging.getLogger(__name__)

ROOM = 1 << 25  # [bytes] a hundred tasks on a humanoid fit; untouched, it costs nothing
STEP = 1024  # [bytes] less than any ring takes, so that each has a flag of its own
FLAGS = ROOM // STEP
QUEUES = 64  # [#] at most
INTEREST_PERIOD = 0.1  # [s] how often the writer asks whether anybody listens


class Outbox:
    """Collects samplers and queues and delivers what they hold from a writer thread.

    Queues are added before `start`, samplers at any time. An error in a sampler or a delivery is
    counted and remembered, it never reaches the servo.

    Args:
        is_shared: Whether the servo runs in a process that this one forks off. What `fill` reads
            is then the servo's, what `deliver` and `wanted` do happens here.

    Attributes:
        failures: Deliveries and offers of this process that raised.
        last_failure: Text of the last of them.
    """

    def __init__(self, *, is_shared: bool = False) -> None:
        self._is_shared = is_shared
        self._samplers: tuple[Sampler, ...] = ()  # replaced as a whole: threads iterate over it
        self._by_flag: dict[int, Sampler] = {}  # so is this
        self._arena = Arena(ROOM)
        self._flags = self._arena.at(self._arena.take(FLAGS), FLAGS)
        self._interests = self._arena.at(self._arena.take(FLAGS), FLAGS)
        self._copies = RowCopies(np.frombuffer(self._flags, dtype=np.int8), SPREAD)
        self._raised = self._wanted = self._flags[:0]  # the part of them that is in use
        self._agenda = Agenda(b"", self._by_flag, self._copies)
        self._offered_at = -math.inf  # [s] the last time
        self._delivering = threading.Lock()
        self._queues: list[Queue] = []
        self._mail = self._arena.at(self._arena.take(QUEUES), QUEUES)  # flags of the queues
        self._wake_event: WakeEvent = ProcessWakeEvent() if is_shared else ThreadWakeEvent()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self.failures = 0
        self.last_failure = ""

    @property
    def dropped(self) -> int:
        """Entries lost because the writer was too slow, over all hand-offs."""
        return sum(sampler.hand_off.dropped for sampler in self._samplers) + sum(
            queue.dropped for queue in self._queues
        )

    def add_sampler(self, sampler: Sampler, begin: int | None = None) -> Sampler:
        """Add a sampler.

        Args:
            sampler: Not yet added.
            begin: Where the other process has placed its own; by default it is placed now.
        """
        size = hand_off_size(sampler.width)
        sampler.begin = self._arena.take(size) if begin is None else begin
        own = slice(sampler.begin // STEP, sampler.begin // STEP + 1)
        sampler.place(
            lambda size: self._arena.at(sampler.begin, size),
            self._flags[own],
            self._interests[own],
        )
        self._keep((*self._samplers, sampler))
        return sampler

    def drop_samplers(self, begins: Collection[int]) -> None:
        """Offer some samplers no more; between two cycles."""
        self._keep(tuple(s for s in self._samplers if s.begin not in begins))

    def _keep(self, samplers: tuple[Sampler, ...]) -> None:
        self._samplers = samplers
        self._by_flag = by_flag = {sampler.begin // STEP: sampler for sampler in samplers}
        end = max(by_flag, default=-1) + 1
        self._raised, self._wanted = self._flags[:end], self._interests[:end]

    def free_samplers(self, begins: Collection[int]) -> None:
        """Let others have the memory of samplers that were dropped on both sides."""
        self.drop_samplers(begins)
        with self._delivering:  # or the writer may still be looking at them
            pass
        for begin in begins:
            self._arena.give_back(begin)

    def add_queue(self, deliver: Callable[[Any], None]) -> Queue:
        """Add a queue for the servo thread to offer to."""
        return self._add(SharedQueue(deliver) if self._is_shared else LocalQueue(deliver))

    def add_local_queue(self, deliver: Callable[[Any], None]) -> Queue:
        """Add a queue for threads of this process to offer to, delivered now and then."""
        return self._add(LocalQueue(deliver))

    def _add(self, queue: Queue) -> Queue:
        number = len(self._queues)
        if number == QUEUES:
            raise ValueError(f"found one more than {QUEUES} queues")
        queue.flag = self._mail[number : number + 1]
        self._queues.append(queue)
        return queue

    def restart(self, now: float) -> None:
        """Begin at a time [s] that may lie before the last offer; servo thread."""
        for sampler in self._samplers:
            sampler.restart(now)
        self._agenda.restart()
        self._offered_at = -math.inf

    def offer_all(self, now: float) -> None:
        """Offer every wanted sampler and wake the writer; servo thread, once a cycle.

        First those that may have changed at any time, then those with a rate.
        """
        elapsed, self._offered_at = now - self._offered_at, now
        wanted, samplers, agenda = bytes(self._wanted), self._by_flag, self._agenda
        if not agenda.holds(wanted, samplers):
            self._agenda = agenda = Agenda(wanted, samplers, self._copies)
        has_mail = agenda.offer(now, elapsed, self._offer)
        # waking at every cycle would make the writer compete for the interpreter at servo rate
        if has_mail or RAISED in bytes(self._mail):
            self._wake_event.set()

    def _offer(self, sampler: Sampler, now: float) -> bool:
        try:
            return sampler.offer(now)
        except Exception as error:  # noqa: BLE001 - a sampler may read anything
            self._count(error)
            return False

    def set(self) -> None:
        """Have delivered what the queues hold; any thread."""
        self._wake_event.set()

    def start(self) -> None:
        """Start the writer thread; idempotent."""
        if self._thread is not None:
            return
        self._stopping = False
        self._thread = running_thread(self._run, "outbox")

    def stop(self) -> None:
        """Deliver what is left and end the thread; idempotent."""
        if self._thread is None:
            return
        self._stopping = True
        self._wake_event.set()
        self._thread.join()
        self._thread = None

    def _run(self) -> None:
        next_interest = 0.0
        while not self._stopping:
            self._wake_event.wait(INTEREST_PERIOD)
            now = time.monotonic()
            if now >= next_interest:
                next_interest = now + INTEREST_PERIOD
                self.ask_for_interest()
                self._remind()
            self.deliver_all()
        self._remind()
        self.deliver_all()  # what came between the last delivery and the order to stop

    def _remind(self) -> None:
        """Raise the flags of what nobody has read: a processor may store flags before that."""
        for sampler in self._samplers:
            sampler.remind()
        for queue in self._queues:
            queue.remind()

    def ask_for_interest(self) -> None:
        """Find out which samplers anybody listens to; writer thread, or a program without one."""
        for sampler in self._samplers:
            if sampler.wanted is not None:
                is_wanted = self._ask(sampler.wanted)
                with self._delivering:  # or its place might by now be another's
                    if self._by_flag.get(sampler.begin // STEP) is sampler:
                        sampler.is_wanted = is_wanted

    def serve_at_rest(self, now: float) -> None:
        """Offer and deliver what readers wait for, between two cycles that the caller makes.

        That is what probes bring, and topics that have just got their first listener. Whoever asks
        a probe wants two samples, as the first may be older than the question.

        Args:
            now: Of the last cycle [s].
        """
        served = {sampler for sampler in self._samplers if sampler.is_wanted}
        self.ask_for_interest()
        for repeated in (False, True):
            for sampler in self._samplers:
                is_new = sampler not in served and not repeated
                if sampler.is_wanted and (sampler.is_on_demand or is_new):
                    sampler.offer_at_rest(now)
            self.deliver_all()

    def deliver_all(self) -> None:
        """Deliver everything offered so far; writer thread, or a program without one."""
        with self._delivering:
            flags = self._raised
            for place in raised_in(flags):
                flags[place] = 0  # before the look: what is offered meanwhile raises it again
                sampler = self._by_flag.get(place)  # a new one may have the place by now
                if sampler is not None:
                    self._deliver(sampler)
        if RAISED not in bytes(self._mail):
            return
        for queue in self._queues:
            if queue.flag[0] == RAISED:
                queue.flag[0] = 0  # before the look, as above
                for entry in queue.drain():
                    try:
                        queue.deliver(entry)
                    except Exception as error:  # noqa: BLE001 - a transport may raise anything
                        self._tell(error)

    def _deliver(self, sampler: Sampler) -> None:
        hand_off, read, give = sampler.hand_off, sampler.read, sampler.delivery.give
        end = hand_off.written[0]  # what is offered meanwhile waits for the next time
        while hand_off.read < end:
            try:
                found = hand_off.take(read, end)
                if found is None:
                    break
                give(found)
            except Exception as error:  # noqa: BLE001 - a transport may raise anything
                self._tell(error)
        if hand_off.read != hand_off.written[0]:
            sampler.remind()  # of a row whose stores are under way

    def _ask(self, wanted: Callable[[], bool]) -> bool:
        try:
            return wanted()
        except Exception as error:  # noqa: BLE001 - a transport may raise anything
            self._count(error)
            return False

    def _tell(self, error: Exception) -> None:
        """Log an error of a delivery unless it is the last one once more."""
        text = told(error)
        if text != self.last_failure:
            _log.error("a delivery failed: %s", text)
        self._count(error)

    def _count(self, error: Exception) -> None:
        self.failures += 1
        self.last_failure = told(error)
