"""Greetings for controlit."""
