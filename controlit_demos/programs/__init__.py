"""What a demonstration asks for over time: plans, trajectories, state machines."""
