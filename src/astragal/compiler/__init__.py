"""How plain methods and kernels become machine code; nothing else depends on Numba's insides (docs/compiler.md)."""
