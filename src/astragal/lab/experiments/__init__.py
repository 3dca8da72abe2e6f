"""The experiments, one file a work."""
