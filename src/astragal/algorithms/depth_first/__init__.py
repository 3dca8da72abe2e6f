"""What all searches share that go depth first: deepening, the root, the work record, the table, recorded trees."""
