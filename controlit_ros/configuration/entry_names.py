"""ENTRY_NAMES: by which key the entries of the lists of a configuration are told apart."""

ENTRY_NAMES = {
    "whole_body_controllers": "name",
    "tasks": "name",
    "constraints": "name",
    "inequalities": "name",
    "behaviours": "name",
    "compound_task": "name",
    "constraint_set": "name",
    "bindings": "topic",
    "events": "name",
}
