"""ServoPorts: the ways into a servo and out of it."""

from typing import NamedTuple

from controlit_ros.parameters import Mailbox
from controlit_ros.servo.notice import NoticeBoard
from controlit_ros.servo.outbox import Outbox
from controlit_ros.servo.queue import Queue


class ServoPorts(NamedTuple):
    """What others give a servo, to hear from it and to tell it something.

    Attributes:
        outbox: What leaves it.
        mailbox: Values that come in.
        notices: Its sentences for people.
        events: Names of events that fire.
    """

    outbox: Outbox
    mailbox: Mailbox
    notices: NoticeBoard
    events: Queue
