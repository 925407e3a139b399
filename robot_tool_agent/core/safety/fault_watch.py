"""Follows the conditions of all faults over time: which of them act now, which block, which are only told."""

from __future__ import annotations

from robot_tool_agent.core.safety.conditions import Evidence, Standing, standing_faults
from robot_tool_agent.core.safety.faults import Fault, FaultCode, FAULTS, Reaction
from robot_tool_agent.core.safety.watchdogs import Persistence


class FaultWatch:
    """Looks at the evidence once a tick. `standing` holds the conditions found, without disabled ones."""

    def __init__(self, evidence: Evidence, now_s: float) -> None:
        self._evidence = evidence
        self._disabled = frozenset(FaultCode(name) for name in evidence.config.disabled_faults)
        self._persistence = Persistence()
        self._acknowledged: frozenset[FaultCode] = frozenset()
        self._clear_since_s = now_s
        self.standing: Standing = {}

    def look(self, now_s: float) -> list[tuple[FaultCode, str]]:
        """Judge the evidence and return the faults that have stood long enough, each with what was seen."""
        self.refresh(now_s)
        self._acknowledged &= self.standing.keys()
        if self.blockers():
            self._clear_since_s = now_s
        rows = [FAULTS[code] for code in self.standing if code not in self._acknowledged]
        needed_s = {row.code.value: self._needed_s(row) for row in rows if row.reaction is not Reaction.REPORT}
        lasting = self._persistence.lasting(needed_s, now_s)
        return [(FaultCode(name), self.standing[FaultCode(name)]) for name in lasting]

    def refresh(self, now_s: float) -> None:
        """Judge the evidence without letting anything act."""
        found = standing_faults(self._evidence, now_s)
        self.standing = {code: text for code, text in found.items() if code not in self._disabled}

    def acknowledge(self) -> None:
        """Take note, for a person, of what stands and only motion can end: it acts again once it has ended."""
        self._acknowledged = frozenset(code for code in self.standing if not FAULTS[code].clears_alone)

    def clear_for_s(self, now_s: float) -> float:
        """Return for how long nothing has stood that READY has to wait for."""
        return now_s - self._clear_since_s

    def blockers(self) -> list[str]:
        """Return what a reset and READY have to wait for: causes that stand and can end without motion."""
        return [text for code, text in self.standing.items() if _blocks(FAULTS[code])]

    def reports(self) -> list[str]:
        """Return what stands and is only told."""
        return [
            f'{code.value}: {text}' for code, text in self.standing.items() if FAULTS[code].reaction is Reaction.REPORT
        ]

    def disabled(self, code: FaultCode) -> bool:
        """Tell whether a fault is switched off by disabled_faults."""
        return code in self._disabled

    def _needed_s(self, row: Fault) -> float:
        name = row.persistence_parameter
        return float(getattr(self._evidence.config, name)) if name else row.persistence_s


def _blocks(row: Fault) -> bool:
    return row.clears_alone and row.reaction is not Reaction.REPORT
