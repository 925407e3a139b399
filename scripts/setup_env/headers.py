"""Headers of the Python interpreter, which the message packages are compiled against."""

from pathlib import Path
import shutil
import subprocess
import sys

from checks import SetupError
import layout

TIMEOUT_S = 120.0


def include_folder() -> Path:
    """Folder with Python.h: the interpreter's own, or the unpacked Debian package."""
    own = layout.python_include()
    return own if (own / 'Python.h').is_file() else layout.HEADERS / 'usr' / 'include' / own.name


def compiler_env() -> dict[str, str]:
    """Variables that let the compiler find what the unpacked headers include in turn."""
    folder = include_folder()
    # Debian's pyconfig.h includes the one of the machine's architecture by its path below usr/include.
    return {'CPATH': str(folder.parent)} if layout.HEADERS in folder.parents else {}


def ensure_headers() -> None:
    """
    Unpack the headers from the Debian package into the build folder where the machine has none.

    Needs no root: the package is downloaded and unpacked, not installed. Raises `SetupError` when that fails.
    """
    if (include_folder() / 'Python.h').is_file():
        return
    package = f'libpython{sys.version_info[0]}.{sys.version_info[1]}-dev'
    try:
        _unpack(package)
    except (OSError, subprocess.SubprocessError) as error:
        raise SetupError('setup: Python.h is missing: install the Debian package python3-dev') from error


def _unpack(package: str) -> None:
    shutil.rmtree(layout.HEADERS, ignore_errors=True)
    layout.HEADERS.mkdir(parents=True)
    _quiet(['apt-get', 'download', package])
    for archive in layout.HEADERS.glob('*.deb'):
        _quiet(['dpkg-deb', '--extract', archive.name, '.'])
    if not (include_folder() / 'Python.h').is_file():
        raise OSError(f'{package} holds no Python.h for {layout.python_include().name}')


def _quiet(command: list[str]) -> None:
    subprocess.run(command, cwd=layout.HEADERS, check=True, capture_output=True, timeout=TIMEOUT_S)
