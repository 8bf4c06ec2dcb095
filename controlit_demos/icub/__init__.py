"""The demonstration `icub`."""
