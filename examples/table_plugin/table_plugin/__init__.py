"""A task, a constraint and a robot interface for controlit."""
