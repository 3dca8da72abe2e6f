"""What follows from the rules of a sheet: by deriving facts on demand, and by a network of gates."""
