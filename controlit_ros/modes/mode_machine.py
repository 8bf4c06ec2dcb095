"""ModeMachine: which mode is, which was asked for, which is entered."""

import math
from typing import NamedTuple

from controlit_ros.errors import did_you_mean
from controlit_ros.modes.mode_graph import ModeGraph
from controlit_ros.modes.mode_report import ModeOutcome, ModeReport
from controlit_ros.modes.mode_transition import ModeTransition
from controlit_ros.parameters.expression import Expression

SETTLING = 1.0  # [s] for which a request waits for a mode that is entered to be confirmed


class _Request(NamedTuple):
    """What is asked for and not there yet: the next mode of the way, the last, until when."""

    next: str
    last: str
    deadline: float


class ModeMachine:
    """Decides when a mode may be entered; touches nothing but itself.

    A mode is `entered` when its order was carried out and `confirmed` when all of it acts. From one
    to the next lead the transitions of the graph and nothing else, for the modes entered and for
    those confirmed alike: while a mode is entered and not confirmed, another is entered only if a
    transition leads there from both.

    Args:
        graph: Modes and transitions.

    Attributes:
        entered: The mode whose order was carried out last.
        confirmed: The mode that is.
        since: When that was confirmed [s].
        report: Where it stands; another object whenever something has changed.
    """

    def __init__(self, graph: ModeGraph) -> None:
        self._graph = graph
        self._ticket = 0
        self.begin(0.0)

    def begin(self, now: float, reason: str = "") -> None:
        """Be in the initial mode, at a time [s], for a reason if it takes the place of another."""
        self.entered = self.confirmed = self._graph.initial
        self.since = now
        self._is_settled = True
        self._request: _Request | None = None
        self._held: dict[Expression, float] = {}
        self._tell(now, self.entered, ModeOutcome.CONFIRMED, reason)

    def rest(self, now: float, reason: str) -> None:
        """Be looked at no longer, for a reason: what waits is refused, what held counts anew."""
        self._held.clear()
        request, self._request = self._request, None
        if request is not None and request.last != self.entered:
            self._tell(now, self.report.asked, ModeOutcome.REFUSED, reason)

    def stand(self, report: ModeReport) -> None:
        """Be where another machine is, as it reports; without what is under way there."""
        self.entered, self.confirmed, self.since = report.entered, report.confirmed, report.since
        self._is_settled = self.entered == self.confirmed

    @property
    def is_settled(self) -> bool:
        """Whether the mode entered last is confirmed."""
        return self._is_settled

    def lasted(self, now: float) -> float:
        """Return how long the mode that is has been [s]."""
        return now - self.since

    def ask(self, name: str, ticket: int, now: float) -> None:
        """Take a request; `step` decides.

        Args:
            name: The mode asked for.
            ticket: Number of the request, for the report.
            now: Time [s].
        """
        self._ticket = ticket
        self._request = None
        refusal = self._cannot(name)
        if refusal:
            self._tell(now, name, ModeOutcome.REFUSED, refusal)
        elif name == self.entered and self._is_settled:
            self._tell(now, name, ModeOutcome.CONFIRMED, "")
        else:
            self._request = self._toward(name, now)
            self._tell(now, name, ModeOutcome.UNDER_WAY, "")

    def refuse(self, name: str, ticket: int, now: float, reason: str) -> None:
        """Refuse a request for a reason of others."""
        self._ticket = ticket
        self._request = None
        self._tell(now, name, ModeOutcome.REFUSED, reason)

    def step(self, now: float) -> str | None:
        """Return the mode to enter now, if one is.

        Whoever is told of one calls `enter` when its order was carried out, and asks for no other
        before that.
        """
        self._look(now)
        for way in self._graph.automatic(self.entered):
            if not self._obstacle(way, now):
                self._request = _Request(way.target, way.target, math.inf)
                self._tell(now, way.target, ModeOutcome.UNDER_WAY, f"by itself: {way.condition}")
                return way.target
        return self._requested(now)

    def enter(self, name: str, now: float) -> None:
        """Note that the order of a mode was carried out."""
        self.entered = name
        self._is_settled = False
        self._keep_held()
        self._tell(now, self.report.asked, self.report.outcome, self.report.reason)

    def confirm(self, now: float) -> None:
        """Note that all of the mode that was entered acts."""
        self.confirmed = self.entered
        self.since = now
        self._is_settled = True
        self._keep_held()
        request, outcome = self._request, self.report.outcome
        if request is not None and request.last == self.confirmed:
            self._request, outcome = None, ModeOutcome.CONFIRMED
        elif request is not None:
            self._request = self._toward(request.last, now)
        self._tell(now, self.report.asked, outcome, self.report.reason)

    def why_not(self, name: str, now: float) -> str:
        """Return why a mode could not be entered now if it were asked for; empty: it could."""
        refusal = self._cannot(name)
        if refusal or name == self.entered:
            return refusal
        way = self._graph.asked(self.entered, name)
        assert way is not None  # or it could not be asked for
        first = self._graph.asked(self.entered, way.through) if way.through else way
        assert first is not None  # or the graph would be wrong
        return self._obstacle(first, now)

    def _toward(self, last: str, now: float) -> _Request:
        """Return a request for the next leg of the way to a mode, with the time it may wait."""
        way = self._graph.asked(self.entered, last)
        leg = last if way is None or not way.through else way.through
        way = self._graph.asked(self.entered, leg)
        wait = 0.0 if way is None else way.wait
        return _Request(leg, last, now + max(wait, 0.0 if self._is_settled else SETTLING))

    def _requested(self, now: float) -> str | None:
        request = self._request
        if request is None or request.next == self.entered:
            return None
        way = self._graph.asked(self.entered, request.next)
        text = self._no_way(request.next) if way is None else self._obstacle(way, now)
        if not text:
            return request.next
        if now >= request.deadline:
            self._request = None
            self._tell(now, request.last, ModeOutcome.REFUSED, text)
        return None

    def _cannot(self, name: str) -> str:
        """Return why a mode cannot be asked for at all in this one."""
        if name not in self._graph.names:
            return f"unknown mode {name!r}{did_you_mean(name, self._graph.names)}"
        if name == self.entered or self._graph.asked(self.entered, name) is not None:
            return ""
        return self._no_way(name)

    def _no_way(self, name: str) -> str:
        targets = self._graph.targets(self.entered)
        return (
            f"no transition leads from {self.entered} to {name}: expected "
            f"{', '.join(targets) or 'none'}"
        )

    def _obstacle(self, way: ModeTransition, now: float) -> str:
        """Return why a transition is not open now; empty: it is."""
        if not self._is_settled and not self._leads_from_confirmed(way.target, now):
            return f"{self.entered} is not confirmed yet"
        if way.after > 0.0 and not (self._is_settled and self.lasted(now) >= way.after):
            return f"{way.source} must last {way.after:g} s first"
        if way.guard is None:
            return ""
        if not way.guard.evaluate():
            return f"found that {way.guard.text} does not hold"
        if not self._has_held(way, now):
            return f"{way.guard.text} must hold for {way.hold:g} s first"
        return ""

    def _leads_from_confirmed(self, target: str, now: float) -> bool:
        """Return whether an open transition leads to a mode from the one that is confirmed."""
        return any(
            way.target == target
            and not way.through
            and self.lasted(now) >= way.after
            and (way.guard is None or (way.guard.evaluate() and self._has_held(way, now)))
            for way in self._graph.outgoing(self.confirmed)
        )

    def _has_held(self, way: ModeTransition, now: float) -> bool:
        """Return whether a condition that holds has done so for long enough."""
        if way.guard is None or way.hold <= 0.0:
            return True
        return now - self._held.get(way.guard, now) >= way.hold

    def _look(self, now: float) -> None:
        """Note since when conditions hold that must hold for a while."""
        for guard in self._watched():
            if not guard.evaluate():
                self._held.pop(guard, None)
            else:
                self._held.setdefault(guard, now)

    def _keep_held(self) -> None:
        """Go on counting what holds where it leads out of this mode, too: `out_of: [any]`."""
        watched = self._watched()
        self._held = {guard: since for guard, since in self._held.items() if guard in watched}

    def _watched(self) -> tuple[Expression, ...]:
        """Return the conditions that must hold for a while, of the modes entered and confirmed."""
        watched = self._graph.watched(self.entered)
        if self.entered == self.confirmed:
            return watched
        return watched + self._graph.watched(self.confirmed)

    def _tell(self, now: float, asked: str, outcome: ModeOutcome, reason: str) -> None:
        self.report = ModeReport(
            now,
            asked,
            self.entered,
            self.confirmed,
            self.since,
            self._ticket,
            outcome,
            reason,
        )
