"""Parameters, their reflection, and events over them."""

from controlit_ros.parameters.applied import NotAppliedError, check_applied
from controlit_ros.parameters.blame import blaming
from controlit_ros.parameters.event import Event
from controlit_ros.parameters.expression import Expression, ExpressionError
from controlit_ros.parameters.mailbox import Mailbox
from controlit_ros.parameters.parameter import (
    Access,
    Kind,
    Parameter,
    ParameterError,
    Patch,
    Quantity,
    Reader,
)
from controlit_ros.parameters.planned_turns import PlannedTurns
from controlit_ros.parameters.receipt import Outcome, Receipt
from controlit_ros.parameters.reflection import (
    ParameterDirectory,
    ParameterReflection,
    UnknownParameterError,
)
from controlit_ros.parameters.remote_mailbox import (
    Poster,
    RemoteAccess,
    RemoteAccessError,
    RemoteMailbox,
)
from controlit_ros.parameters.roster import Roster
