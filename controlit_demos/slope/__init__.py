"""The demonstration `slope`."""
