"""CommandSending: the way of a command to the robot."""

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command
from controlit_ros.errors import told
from controlit_ros.robots import RobotInterface
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.encoder_watch import EncoderWatch
from controlit_ros.servo.expectations import Expectations
from controlit_ros.servo.friction import Friction
from controlit_ros.servo.model_swap import ModelSwap
from controlit_ros.servo.round_trip import RoundTrip


class CommandSending:
    """Numbers commands, keeps what is expected of them and writes them; servo thread.

    Args:
        robot: Gets them.
        command: Where they stand.
        friction: What of their effort moves the robot.
        expectations: What follows from that.
        swap: The model by which it follows.
        encoders: Checks them by how joints respond.
        round_trip: Numbers them.
        faults: Is told what is wrong.
    """

    def __init__(
        self,
        robot: RobotInterface,
        command: Command,
        *,
        friction: Friction,
        expectations: Expectations,
        swap: ModelSwap,
        encoders: EncoderWatch,
        round_trip: RoundTrip,
        faults: CycleFaults,
    ) -> None:
        self._robot = robot
        self._command = command
        self._renew_view()
        self._friction = friction
        self._expectations = expectations
        self._swap = swap
        self._encoders = encoders
        for model in (swap.models.active, swap.models.inactive):
            encoders.follow(model)
        self._round_trip = round_trip
        self._faults = faults

    def send(self, load: Array | None, now: float) -> bool:
        """Write the command; return whether the robot took it.

        Args:
            load: `(nv,)` what the robot exerts elsewhere, see `CompoundTask.load`; none: zero.
            now: Time on the servo's clock [s].
        """
        command, expectations, swap = self._command, self._expectations, self._swap
        net = self._friction.net(command)
        if swap.has_model:
            expectations.react(swap.models.active, net, load)
            self._encoders.expect(command, net, swap.models.active)
        self._round_trip.number(command, now)
        expectations.sent(command.sequence, net, now)
        try:
            given = self._given
            if any(a is not b for a, b in zip(given.arrays(), self._arrays, strict=True)):
                self._renew_view()
            self._given.sequence = command.sequence
            self._robot.write(self._given)
        except Exception as error:  # noqa: BLE001 - an interface may raise anything
            self._faults.fail("write", f"writing to the robot failed: {told(error)}", now)
            self._renew_view()
            return False
        return True

    def _renew_view(self) -> None:
        """Give the robot new arrays of the command's memory: a plugin may lock or replace them."""
        self._given = self._command.view()
        self._arrays = self._given.arrays()
