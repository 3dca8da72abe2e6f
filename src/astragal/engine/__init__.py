"""Astragal's players for other programs: the engine protocol, on standard input and output."""
