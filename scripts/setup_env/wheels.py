"""Repair what the ROS 2 wheels carry over from the machine that built them."""

from pathlib import Path
import re

import layout

_INCLUDE = re.compile(r'/opt/python/cp\d+-cp\d+/include/python\d\.\d+')
_SITE = re.compile(r'/opt/python/cp\d+-cp\d+/lib/python\d\.\d+/site-packages')


def repair_cmake_paths(include: Path) -> int:
    """
    Point the CMake files of the wheels at this interpreter; returns how many files changed.

    CMake refuses an imported target whose include folder does not exist.
    """
    changed = 0
    for path in (layout.VENV / 'share').rglob('*.cmake'):
        text = path.read_text()
        repaired = _SITE.sub(str(layout.SITE_PACKAGES), _INCLUDE.sub(str(include), text))
        if repaired != text:
            path.write_text(repaired)
            changed += 1
    return changed
