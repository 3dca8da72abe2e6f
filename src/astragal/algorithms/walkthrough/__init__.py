"""One small search event by event beside its pseudo-code: plain Python that does what the kernels do, in words."""
