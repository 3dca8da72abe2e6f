"""The web page: a server of JSON and event streams over the package, and the page itself in ``static``."""
