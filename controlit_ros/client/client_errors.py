"""What can go wrong between a program and the controller it steers."""

from controlit_ros.errors import SERVO_PROCESS, ControlItError


class ClientError(ControlItError):
    """Root of the exceptions of this room."""


class ControllerNotFoundError(ClientError):
    """No controller of that name runs, or several run and none was named."""


class ControllerLostError(ClientError):
    """The controller went away, was started anew, or answers no more."""


class ClientClosedError(ClientError):
    """The connection was closed by the program itself."""


class UnknownNameError(ClientError, KeyError):
    """The controller has nothing of that name; the text has the nearest."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would quote it


class RefusedError(ClientError):
    """The controller does not do what it is asked; the text has its reason."""


class MotionError(ClientError):
    """A motion cannot begin, or could not be finished; the text says why."""


class ControlEndedError(MotionError):
    """The controller is not active, or was not for a moment: wait until it is, and move anew."""


class WaitTimeoutError(ClientError, TimeoutError):
    """What was waited for did not happen in time."""


def negative(controller: str, why: str) -> ClientError:
    """Return what it means that a service answers no: that the servo has gone, or a refusal.

    Args:
        controller: Its name.
        why: The message of the answer.
    """
    if why.startswith(SERVO_PROCESS):
        return ControllerLostError(f"{controller} is lost: {why}")
    return RefusedError(why)
