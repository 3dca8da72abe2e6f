"""``python -m astragal``: the command line."""

from astragal.cli import main

if __name__ == "__main__":
    main()
