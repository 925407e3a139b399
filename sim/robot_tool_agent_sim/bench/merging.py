"""Joins figures of several parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return both, mappings under the same key merged in turn. Raise ValueError where they collide."""
    result = dict(first)
    for key, value in second.items():
        if key not in result:
            result[key] = value
        elif isinstance(result[key], Mapping) and isinstance(value, Mapping):
            result[key] = merged(result[key], value)
        else:
            raise ValueError(f'{key} is measured twice')
    return result
