"""The loop neither grows nor leaves cycles for the garbage collector."""

import gc
import sys

import pytest
from rig import Rig, unlimited

from controlit_ros.servo import Sampler

pytestmark = pytest.mark.processes

CYCLES = 20_000
TOLERANCE = 60  # [blocks] caches of the interpreter move a little


@pytest.mark.parametrize("is_inline", [False, True], ids=["threads", "inline"])
def test_memory_stays_flat(is_inline):
    names = ("right position", "left position", "right turn", "left turn", "posture")
    rig = Rig(
        count=16,
        tasks=names,
        guard=unlimited(16),
        events=("posture.error_norm > 1e9",),
        single_threaded_model=is_inline,
        single_threaded_tasks=is_inline,
    )
    seen = [0]

    def deliver(*_):
        seen[0] += 1

    for rate in (0.0, 100.0):
        rig.outbox.add_sampler(Sampler(16, lambda row: row.fill(1.0), deliver, rate=rate))
    for task in rig.tasks:
        task.controller.kp.assign([20.0] * 16)
        task.controller.kd.assign([4.0] * 16)
    rig.robot.write = lambda command: None
    rig.coordinator.request_activation()

    def play(cycles):
        for cycle in range(cycles):
            rig.clock.advance()
            for updater in rig.coordinator.updaters:
                if updater._wake.acquire(blocking=False):
                    for _ in updater.steps():
                        pass
            if cycle % 20 == 0:
                rig.outbox.deliver_all()

    play(2_000)
    assert rig.errors == []
    gc.collect()
    gc.disable()
    gc.freeze()
    try:
        play(CYCLES // 2)  # a collection empties the interpreter's free lists; they fill again
        before, tracked = sys.getallocatedblocks(), len(gc.get_objects())
        play(CYCLES)
        grown = sys.getallocatedblocks() - before
        assert grown < TOLERANCE
        assert len(gc.get_objects()) - tracked < TOLERANCE
        assert gc.collect() == 0
    finally:
        gc.unfreeze()
        gc.enable()
    assert seen[0] > CYCLES
    assert rig.errors == []
