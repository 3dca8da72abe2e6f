"""Machine code made of a sheet's network: gates as operations on words, and these as functions that LLVM compiles."""
