"""TensionShape: a goal and an actual value that are forces between two contacts."""

from typing import NamedTuple

from controlit_ros.model.contact_site import ContactSite
from controlit_ros.parameters import Parameter


class TensionShape(NamedTuple):
    """What a display draws of the force and the moment between two contacts.

    The first contact exerts the force along the line to the second, and the moment; the second
    exerts the opposite of both.

    Attributes:
        goal: `(4,)` force, then moment in world axes [N, N m].
        actual: `(4,)` what they are [N, N m].
        contacts: The first and the second.
    """

    goal: Parameter
    actual: Parameter
    contacts: tuple[ContactSite, ContactSite]
