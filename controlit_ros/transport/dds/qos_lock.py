"""A lock around everything that makes Cyclone's Python binding convert quality of service."""

from threading import RLock

QOS_LOCK = RLock()
"""The binding converts through variables that all threads share: two at a time mix up values or
free memory twice. Whatever makes a writer, a reader or a participant, takes samples of built-in
topics, deletes their readers or asks what is matched holds this lock, and takes no other lock
meanwhile."""
