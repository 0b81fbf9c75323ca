"""``python -m firmware`` is ``muggins``."""

from firmware.start import main

if __name__ == "__main__":
    main()
