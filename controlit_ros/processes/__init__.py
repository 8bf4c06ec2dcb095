"""Commands of controlit in child processes: a servo, a simulated robot."""
