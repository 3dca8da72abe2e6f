"""Searches: a folder a family, around one request (`request`), one life cycle (`search`) and one `result`."""
