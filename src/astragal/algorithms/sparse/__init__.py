"""Sparse sampling that chooses what to sample: Forward Search Sparse Sampling and adaptive multistage sampling."""
