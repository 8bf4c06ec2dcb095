"""TopicBindingFactory: binds parameters to topics."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controlit_ros.arrays import Array
from controlit_ros.bindings.binding import Binding
from controlit_ros.bindings.binding_config import BindingConfig, Direction
from controlit_ros.bindings.binding_factory import BindingFactory
from controlit_ros.bindings.conversion import conversion
from controlit_ros.bindings.conversion_type import Conversion
from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.parameter_sampler import parameter_sampler
from controlit_ros.bindings.row_messages import RowMessages
from controlit_ros.interfaces import Message
from controlit_ros.parameters import Kind, Parameter
from controlit_ros.servo import Delivery
from controlit_ros.transport import Durability, Publisher, Qos


class TopicBindingFactory(BindingFactory):
    """Input: every message is validated and handed to the servo. Output: sampled at a rate."""

    @classmethod
    def check(cls, config: BindingConfig, parameter: Parameter) -> None:
        """Check that a message can carry the parameter."""
        super().check(config, parameter)
        conversion(parameter, config.message_type)

    def bind(self, config: BindingConfig, parameter: Parameter) -> Binding:
        """Subscribe or publish."""
        self.check(config, parameter)
        travel = conversion(parameter, config.message_type, self.context.frames)
        binding = Binding(config, travel.type_name)
        if config.direction is Direction.INPUT:
            self._subscribe(binding, parameter, travel)
        else:
            self._publish(binding, parameter, travel)
        return binding

    def _subscribe(self, binding: Binding, parameter: Parameter, travel: Conversion) -> None:
        def receive(message: Message) -> None:
            self.hand_over(binding, parameter, lambda: travel.from_message(message))

        binding.close = self.context.transport.subscribe(
            binding.config.topic, travel.type_name, receive, _wanted(binding.config)
        ).close

    def _publish(self, binding: Binding, parameter: Parameter, travel: Conversion) -> None:
        config = binding.config
        publisher = self.context.transport.publisher(
            config.topic, travel.type_name, _quality(config)
        )
        binding.close = publisher.close
        binding.sampler = self.context.outbox.add_sampler(
            parameter_sampler(
                config,
                parameter,
                self._delivery(publisher, parameter, travel),
                None if config.latched else lambda: publisher.subscriber_count() > 0,
            )
        )

    def _delivery(
        self, publisher: Publisher, parameter: Parameter, travel: Conversion
    ) -> Callable[[float, Array], None] | Delivery:
        """Return what publishes a row of numbers."""
        decode = _decoder(parameter)
        offset = self.context.clock_offset

        def make(values: Array, stamp: float) -> Message:
            return travel.to_message(decode(values), stamp)

        if travel.copies:
            form = MessageForm(make, parameter.value.size if parameter.is_array else 1)
            return RowMessages(publisher, form, offset)

        def deliver(stamp: float, values: Array) -> None:
            if parameter.kind is Kind.TEXT:
                self.context.refresh()  # texts are not in the row
            publisher.publish(make(values, stamp + offset))

        return deliver


def _decoder(parameter: Parameter) -> Any:
    if parameter.is_array:
        return lambda values: values
    if parameter.kind is Kind.TEXT:
        return lambda _values: parameter.value
    convert = {Kind.FLOAT: float, Kind.INTEGER: int, Kind.BOOLEAN: bool}[parameter.kind]
    return lambda values: convert(values[0])


def _quality(config: BindingConfig) -> Qos:
    durability = Durability.TRANSIENT_LOCAL if config.latched else Durability.VOLATILE
    return Qos(reliable=True, durability=durability, depth=config.queue_size)


def _wanted(config: BindingConfig) -> Qos:
    """Return what is asked for: goals that nobody keeps may be streamed best effort."""
    return replace(_quality(config), adapts=not config.latched)
