"""How a demonstration runs: processes or simulated time, recording, display and judgement."""
