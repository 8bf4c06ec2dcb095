"""The demonstration `stairs`."""
