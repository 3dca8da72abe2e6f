"""Work that a page starts: checked orders, and a queue that runs the ordinary commands one after the other."""
