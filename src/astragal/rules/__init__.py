"""What a game is, and how its plain Python runs at native speed: decorator, types, kernels, positions, checks."""
