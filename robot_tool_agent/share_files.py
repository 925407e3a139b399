"""Finds the package's own files in a source tree, after `colcon build` and after `pip install`."""

from __future__ import annotations

from pathlib import Path
import sys

from robot_tool_agent.config_files import ConfigError

PACKAGE = 'robot_tool_agent'


def share_folder() -> Path:
    """
    Return the folder that holds `config/` and `launch/`. Raise ConfigError if the installation has none.

    A source tree wins over an installed copy: with a symlinked install both exist, and the copy may lack new files.
    """
    source = Path(__file__).resolve().parent.parent
    candidates = [source, *_installed()]
    for folder in candidates:
        if (folder / 'package.xml').is_file() and (folder / 'config').is_dir():
            return folder
    raise ConfigError(f'no config folder of {PACKAGE} in: {", ".join(str(folder) for folder in candidates)}')


def _installed() -> list[Path]:
    folders = [Path(sys.prefix) / 'share' / PACKAGE]
    try:
        from ament_index_python.packages import get_package_share_directory, PackageNotFoundError
    except ImportError:
        return folders
    try:
        return [Path(get_package_share_directory(PACKAGE)), *folders]
    except PackageNotFoundError:
        return folders


def find_config(name: str, folder: str) -> Path:
    """
    Return the path of a YAML file given as a path or as a name in `config/<folder>`.

    A bare word is a name. Raise ConfigError with the valid names if there is no such file.
    """
    if Path(name).name != name or Path(name).suffix in ('.yaml', '.yml'):
        path = Path(name).expanduser().absolute()
        if not path.is_file():
            raise ConfigError(f'{name}: no such file')
        return path
    known = share_folder() / 'config' / folder
    path = known / f'{name}.yaml'
    if not path.is_file():
        names = ', '.join(sorted(file.stem for file in known.glob('*.yaml')))
        raise ConfigError(f'{name}: no such file in config/{folder}; there are: {names}')
    return path
