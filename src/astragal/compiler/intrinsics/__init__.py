"""What kernels call and Python lacks: records on the C stack, wide products, vectors, atomic operations."""
