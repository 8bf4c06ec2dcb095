"""Configuration files: their schema, their loader and their errors."""

from typing import TYPE_CHECKING

from controlit_ros.lazy_names import lazily

if TYPE_CHECKING:
    from controlit_ros.configuration.names import *  # noqa: F403

__getattr__ = lazily(__name__)
