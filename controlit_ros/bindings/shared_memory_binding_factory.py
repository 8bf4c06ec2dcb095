"""SharedMemoryBindingFactory: binds parameters to vectors in shared memory."""

import threading
import time
from functools import partial
from typing import Any

from controlit_ros.bindings.binding import Binding
from controlit_ros.bindings.binding_config import BindingConfig, Direction
from controlit_ros.bindings.binding_factory import BindingContext, BindingFactory
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.shared_vector import VectorReceiver, VectorSender
from controlit_ros.errors import ControlItError
from controlit_ros.parameters import Kind, Parameter
from controlit_ros.running_thread import running_thread
from controlit_ros.servo import NoticeLevel, Sampler
from controlit_ros.transport.names import NodeName

LOOK_PERIOD = 0.05  # [s] between looks whether a sender came or went


class SharedMemoryBindingFactory(BindingFactory):
    """For processes of this machine that want no messages; see `shared_vector`.

    Input: each new vector is validated and handed to the servo. A sender that dies is noticed and
    told; the value it sent last stays. Output: sampled at a rate. Numbers only; the names of
    topics are those that a topic would have. Nobody but this user reaches it.
    """

    is_remote = False

    def __init__(self, context: BindingContext) -> None:
        super().__init__(context)
        self._inputs: list[_Input] = []
        self._outputs: list[_Output] = []

    @classmethod
    def check(cls, config: BindingConfig, parameter: Parameter) -> None:
        """Check that the parameter is a number or a vector of fixed length."""
        super().check(config, parameter)
        if not (parameter.is_array or (parameter.kind is Kind.FLOAT and not parameter.shape)):
            raise ConversionError(
                f"{parameter.full_name} cannot travel through shared memory: found a "
                f"{parameter.kind.value}, expected a number or a vector of fixed length"
            )
        if config.message_type:
            raise ConversionError(
                f"message_type: found {config.message_type!r}, expected none: shared memory "
                "carries numbers"
            )

    def bind(self, config: BindingConfig, parameter: Parameter) -> Binding:
        """Prepare a vector; it appears with `start`."""
        self.check(config, parameter)
        transport = self.context.transport
        topic = NodeName.of(transport.node_name, transport.namespace).resolve(config.topic)
        binding = Binding(config, f"float64[{_width(parameter)}]")
        if config.direction is Direction.INPUT:
            incoming = _Input(self, binding, parameter, topic)
            self._inputs.append(incoming)
            binding.close = partial(_end, incoming, self._inputs)
        else:
            output = _Output(parameter, topic)
            self._outputs.append(output)
            binding.close = partial(_end, output, self._outputs)
            binding.sampler = self.context.outbox.add_sampler(
                Sampler(_width(parameter), output.fill, output.deliver, rate=config.publish_rate)
            )
        return binding

    def start(self) -> None:
        """Make the vectors of the outputs and listen for those of the inputs; idempotent.

        Raises:
            ControlItError: Another process sends what this controller should.
        """
        for output in self._outputs:
            output.start()
        for incoming in self._inputs:
            incoming.start()

    def stop(self) -> None:
        """End; idempotent."""
        for incoming in self._inputs:
            incoming.stop()
        for output in self._outputs:
            output.stop()


def _width(parameter: Parameter) -> int:
    return parameter.value.size if parameter.is_array else 1


def _end(part: Any, parts: list[Any]) -> None:
    parts.remove(part)
    part.stop()


class _Output:
    """Brings a parameter into shared memory."""

    def __init__(self, parameter: Parameter, topic: str) -> None:
        self._parameter = parameter
        self._topic = topic
        self._sender: VectorSender | None = None

    def start(self) -> None:
        if self._sender is None:
            parameter = self._parameter
            self._sender = VectorSender(self._topic, _width(parameter), parameter.labels)

    def stop(self) -> None:
        sender, self._sender = self._sender, None
        if sender is not None:
            sender.close()

    def fill(self, row: Any) -> None:
        """Write the present value; servo thread."""
        row[:] = self._parameter.value

    def deliver(self, _stamp: float, values: Any) -> None:
        """Show a value; writer thread."""
        sender = self._sender
        if sender is not None:
            sender.send(values)


class _Input:
    """Listens for a vector in a thread of its own."""

    def __init__(
        self, factory: BindingFactory, binding: Binding, parameter: Parameter, topic: str
    ) -> None:
        self._factory = factory
        self._binding = binding
        self._parameter = parameter
        self._receiver = VectorReceiver(topic, _width(parameter), parameter.labels)
        self._is_alive = False
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is None:
            self._stopping.clear()
            # a goal from before this controller counts only if the binding is latched
            self._look(with_present=self._binding.config.latched)
            name = f"input {self._binding.config.topic}"
            self._thread = running_thread(self._run, name)

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        next_look = time.monotonic() + LOOK_PERIOD
        while not self._stopping.is_set():
            if self._is_alive:
                self._receiver.wait(LOOK_PERIOD)
            else:
                self._stopping.wait(LOOK_PERIOD)
            self._factory.hand_over(self._binding, self._parameter, self._read)
            now = time.monotonic()
            if now >= next_look:
                next_look = now + LOOK_PERIOD
                self._look(with_present=True)

    def _read(self) -> Any:
        if not self._is_alive:
            return None
        values = self._receiver.receive()
        return values if values is None or self._parameter.is_array else float(values[0])

    def _look(self, *, with_present: bool) -> None:
        was_alive, topic = self._is_alive, self._binding.config.topic
        try:
            self._is_alive = self._receiver.attach(with_present=with_present)
        except ControlItError as error:
            self._is_alive = False
            self._complain(f"topic {topic}: {error}")
            return
        if was_alive and not self._is_alive:
            owner = self._receiver.owner
            self._complain(f"topic {topic}: process {owner}, which sent its values, has ended")

    def _complain(self, text: str) -> None:
        self._factory.context.notices.post(
            NoticeLevel.WARNING, f"input {self._binding.config.topic}", text, time.monotonic()
        )
