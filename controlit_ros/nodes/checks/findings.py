"""What a check finds: the place in the configuration, and a text for its author."""

from collections.abc import Iterator

from controlit_ros.configuration import KeyPath

Findings = Iterator[tuple[KeyPath, str]]
