"""A whole-body controller for controlit."""
