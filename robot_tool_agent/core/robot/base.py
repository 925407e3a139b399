"""Common ground of all configuration models: strict types, closed keys, no NaN."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Metres = Annotated[float, Field(ge=-1000.0, le=1000.0)]
Radians = Annotated[float, Field(ge=-6.3, le=6.3)]
XY = tuple[Metres, Metres]
Name = Annotated[str, Field(pattern=r'^[a-z][a-z0-9_]{0,62}$')]


class ConfigModel(BaseModel):
    """Base of every model read from YAML: an unknown key is an error, a string is not a number."""

    model_config = ConfigDict(extra='forbid', frozen=True, strict=True, allow_inf_nan=False)
