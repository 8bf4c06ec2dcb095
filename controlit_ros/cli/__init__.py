"""The console command `controlit`; one file per command or group of commands."""
