"""Bindings: parameters joined to transports."""

from typing import TYPE_CHECKING

from controlit_ros.lazy_names import lazily

if TYPE_CHECKING:
    from controlit_ros.bindings.names import *  # noqa: F403

__getattr__ = lazily(__name__)
