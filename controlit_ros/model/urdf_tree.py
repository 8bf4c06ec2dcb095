"""The elements of a robot description, for those who need one or two of them."""

import xml.etree.ElementTree as ET


def urdf_tree(urdf: str) -> ET.Element:
    """Return the elements of a URDF; none of a text that is no XML, of which `check_urdf` tells."""
    try:
        return ET.fromstring(urdf)  # noqa: S314 - the user's own robot
    except (ET.ParseError, ValueError):
        return ET.Element("robot")
