"""The laboratory: the experiments of published works, played again and set beside what the works report."""

from astragal.lab.data import load

__all__ = ["load"]
