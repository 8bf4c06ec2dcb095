"""Crossing: the servo, and what goes to it and comes from it."""

import time
from collections.abc import Callable

from controlit_ros.introspection import StateTopic
from controlit_ros.modes import ModeBehaviour, ModeReport
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.front.announcements import Announcements
from controlit_ros.nodes.front.parameter_mirror import ParameterMirror
from controlit_ros.nodes.process_layout import ProcessLayout
from controlit_ros.nodes.servo_lifecycle import ServoLifecycle
from controlit_ros.parameters import Mailbox
from controlit_ros.servo import Notice, NoticeBoard, NoticeLevel, Outbox, ServoPorts, SharedMailbox
from controlit_ros.servo.behaviours import CyclePart
from controlit_ros.servo.liveliness import Liveliness
from controlit_ros.servo.queue import Queue
from controlit_ros.servo.shared_memory import private_memory, shared_memory
from controlit_ros.transport import DeferredTransport, Transport


class Crossing:
    """Puts the servo together with its ways in and out, in one process or two.

    Args:
        stack: What runs at the start.
        transport: Of the node.
        layout: Where the servo runs.
        tell_mode: Told of every change of mode.

    Attributes:
        stack, transport: As given.
        clock_offset: Seconds from the servo's clock to ROS time.
        announcements: Events and notices.
        outbox: Brings values out of the servo.
        mailbox: Takes values to it, whoever may set them.
        refresh: Brings parameters up to date before they are read outside of the servo.
        coordinator: The servo, or its mirror.
        complaints: Notices of this side, told as those of the servo are.
        liveliness: Whether the servo makes cycles.
        lifecycle: Starts and stops it.
    """

    def __init__(
        self,
        stack: ControllerStack,
        transport: Transport,
        layout: ProcessLayout,
        tell_mode: Callable[[ModeReport], None],
    ) -> None:
        self.stack = stack
        self.transport = transport
        self.clock_offset = stack.clock.ros_offset
        self.announcements = Announcements(transport)
        self.outbox = Outbox(is_shared=layout.is_shared)
        self.mailbox = SharedMailbox(stack.directory.values()) if layout.is_shared else Mailbox()
        mirror = ParameterMirror(self.mailbox, layout, lambda: self.lifecycle.has_begun)
        self.refresh = mirror.refresh
        if isinstance(transport, DeferredTransport) and layout.is_shared:
            transport.before_answering = self.refresh
        notices = self.outbox.add_queue(self.announcements.tell_notice)
        events = self.outbox.add_queue(self.announcements.tell_event)
        self.coordinator = stack.create_coordinator(
            ServoPorts(self.outbox, self.mailbox, NoticeBoard(notices), events),
            behaviours=self._behaviours(events, tell_mode),
            memory=shared_memory if layout.is_shared else private_memory,
        )
        self.complaints = NoticeBoard(self.outbox.add_local_queue(notices.deliver))
        self.liveliness = Liveliness(
            self.coordinator.status, stack.clock, lambda: self.lifecycle.is_running
        )
        self.liveliness.observe(self._tell_liveliness)
        self.mailbox.complaint = lambda: self.liveliness.complaint
        state_topic = StateTopic(self.liveliness, transport, self.outbox)
        self.lifecycle = ServoLifecycle(stack, self.coordinator, self.outbox, state_topic, layout)

    @property
    def now(self) -> float:
        """Time of the servo's last cycle [s]."""
        return self.coordinator.status.now

    def complain(self, about: str, text: str) -> None:
        """Warn people of something that has to do with this side; any thread."""
        self.complaints.post(NoticeLevel.WARNING, about, text, time.monotonic())

    def _behaviours(
        self, events: Queue, tell_mode: Callable[[ModeReport], None]
    ) -> tuple[CyclePart, ...]:
        """Return what acts on the servo's clock."""
        leading = self.stack.behaving()
        modes = self.stack.modes
        if modes is None:
            return (leading,)
        reports = self.outbox.add_queue(tell_mode)
        behaviour = ModeBehaviour(modes, reports.offer, events.offer)
        self.mailbox.admits = behaviour.admits
        return (behaviour, leading)

    def _tell_liveliness(self) -> None:
        complaint = self.liveliness.complaint
        level = NoticeLevel.ERROR if complaint else NoticeLevel.INFO
        text = complaint or "the servo makes cycles again"
        self.announcements.tell_notice(Notice(level, time.monotonic(), "liveliness", text, 0))
