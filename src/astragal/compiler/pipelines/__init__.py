"""What Numba does with a function, step by step: its own pipeline with the guards, and the fast one."""
