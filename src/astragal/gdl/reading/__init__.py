"""Rule sheets from text to checked clauses."""
