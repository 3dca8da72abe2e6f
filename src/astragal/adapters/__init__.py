"""How other programs reach Astragal, and Astragal reaches them: engines, environments, general game playing."""
