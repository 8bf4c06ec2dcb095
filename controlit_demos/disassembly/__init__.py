"""The demonstration `disassembly`."""
