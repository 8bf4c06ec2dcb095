"""What wakes viser's loop."""

import asyncio
from collections import deque

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from controlit_console.loop_event import LoopEvent


class Crowd(deque):
    """Those that wait, some of whom come and go while others look at them."""

    def __init__(self, waiting, times):
        super().__init__(waiting)
        self.times = times

    def __iter__(self):
        for waiting in super().__iter__():
            yield waiting
            if self.times:
                self.times -= 1
                self.append(asyncio.get_running_loop().create_future())


@pytest.mark.parametrize("times", [0, 1, 3])
def test_everybody_is_woken_whoever_comes_and_goes_meanwhile(times):
    async def scenario():
        event = LoopEvent()
        waiting = [asyncio.ensure_future(event.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        event._waiters = Crowd(event._waiters, times)
        event.set()
        assert event.is_set()
        assert event._waiters.times == 0
        assert await asyncio.wait_for(asyncio.gather(*waiting), 10.0) == [True] * 3

    asyncio.run(scenario())
