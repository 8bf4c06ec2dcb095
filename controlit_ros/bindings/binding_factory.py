"""BindingFactory: makes bindings of one transport type."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from controlit_ros.bindings.binding import Binding
from controlit_ros.bindings.binding_config import BindingConfig
from controlit_ros.parameters import Mailbox, Parameter
from controlit_ros.servo import NoticeBoard, Outbox
from controlit_ros.transport import Transport


class BindingContext(NamedTuple):
    """What bindings are made of.

    Attributes:
        transport: The node's transport.
        mailbox: Takes values into the controller.
        outbox: Brings values out of it.
        notices: Takes complaints about messages that do not fit.
        clock_offset: Seconds from the servo's clock to ROS time.
    """

    transport: Transport
    mailbox: Mailbox
    outbox: Outbox
    notices: NoticeBoard
    clock_offset: float


class BindingFactory(ABC):
    """Base of the binding factories (paper section 4.4).

    A plugin: the class is named in the entry point group `controlit.binding_factories`; the entry
    point's name is the `transport_type` of the configuration file.
    """

    def __init__(self, context: BindingContext) -> None:
        self.context = context

    @abstractmethod
    def bind(self, config: BindingConfig, parameter: Parameter) -> Binding:
        """Join a parameter to the transport.

        Raises:
            ControlItError: The parameter cannot be bound like that.
        """
