"""
Make everything in this folder ready to run: `python3 scripts/setup_env`. Standard library only.

Exit codes: 0 ready, 1 something is missing or failed (one line says what), 130 interrupted.
This file keeps to syntax that Python 3.6 can read, so that an old one gets a clear line too.
"""

import sys

OLDEST, NEWEST = (3, 10), (3, 14)

if __name__ == '__main__':
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        sys.stderr.write(
            f'setup: python3 is {sys.version_info[0]}.{sys.version_info[1]}, but 3.10 to 3.14 is needed: '
            'install the Debian package python3.11 (or newer) and run make PYTHON=python3.11\n'
        )
        sys.exit(1)
    from run import main

    sys.exit(main())
