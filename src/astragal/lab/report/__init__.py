"""The report of the laboratory: its front pages, sections, tables and pictures."""
