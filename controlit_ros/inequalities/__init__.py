"""Inequalities: what commands keep, whatever the tasks want."""

from controlit_ros.inequalities.inequality import Inequality, RowsOf
