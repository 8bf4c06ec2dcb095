"""Walking: footsteps made into goals of tasks and contacts that come and go."""
