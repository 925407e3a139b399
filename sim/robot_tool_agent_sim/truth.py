"""What really happened, for judges."""

from __future__ import annotations

from dataclasses import asdict, dataclass
import json


@dataclass(frozen=True, slots=True)
class Truth:
    """Counters since the last reset. `picks` are real grasps, `places` releases of a held object."""

    held: str | None
    contacts: int
    travelled_m: float
    turned_rad: float
    picks: int
    places: int
    fault: str

    def to_json(self) -> str:
        """Return the content of `sim/truth_json`."""
        return json.dumps(asdict(self))
