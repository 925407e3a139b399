"""Keys of model services, from the environment and from nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def find_key(names: Sequence[str], environment: Mapping[str, str]) -> str:
    """
    Return the first key that is set, empty if none is. Raise ValueError for one that cannot be a key.

    The text of the error names the variable, never its content.
    """
    for name in names:
        key = environment.get(name, '').strip()
        if key and not (key.isascii() and key.isprintable() and ' ' not in key):
            raise ValueError(f'the environment variable {name} holds characters that no key has')
        if key:
            return key
    return ''


def need_key(names: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the first key that is set. Raise ValueError, with the names of the variables, if none is."""
    key = find_key(names, environment)
    if not key:
        raise ValueError(f'no key: set the environment variable {" or ".join(names)}')
    return key
