"""`python -m reviewer`."""

from reviewer.cli import main

if __name__ == "__main__":  # and not where another process of a scan imports it
    main()
