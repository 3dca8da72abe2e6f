"""The steps of tree search: classes that a search is composed of (`compose`)."""
