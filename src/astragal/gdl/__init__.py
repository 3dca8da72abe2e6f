"""Games written in the Game Description Language: reading, checking, interpreting, and compiling them."""
