"""What every package may use: errors, settings and their records, folders, clocks, and how things are displayed."""
