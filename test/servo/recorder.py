"""A coordinator that only notes what a clock does with it."""

import threading
from types import SimpleNamespace

from controlit_ros.servo import ServoStatus
from controlit_ros.servo.spare_time import SpareTime


class Recorder:
    """Coordinator that only notes when it is called, and can take long."""

    def __init__(self, work=lambda _cycle: None):
        self.latency = SimpleNamespace(lateness=0.0, overruns=0)
        self.spare_time = SpareTime()
        self.status = ServoStatus()
        self.started = []
        self.times = []
        self.lateness = []
        self.threads = set()
        self.rehearsals = 0
        self._work = work

    def servo_init(self, now):
        self.started.append(now)
        self.threads.add(threading.get_ident())

    def servo_update(self, now):
        self.times.append(now)
        self.lateness.append(self.latency.lateness)
        self.threads.add(threading.get_ident())
        self._work(len(self.times))

    def rehearse(self):
        self.rehearsals += 1
