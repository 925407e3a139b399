"""
The node set of a rehearsal: the product's, with some nodes played by ones that can be told to do wrong.

Names: `relay` puts the relay between callers and the executor; `safety`, `executor` and `planner` are those of this
folder. All that are played come back when they end, `safety` too, which the product's does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
import os

from robot_tool_agent.node_set import NODE_SET, NodeSpec

VARIABLE = 'REHEARSAL_CAST'
PACKAGE = 'rehearsal'
# Rows that kill a node follow each other faster than a node that is worth restarting may fail.
MANY = 1000
PLAYED = ('safety', 'executor', 'planner')
RELAY = NodeSpec(
    'relay', 'relay', 'robot_tool_agent_sim.relay.relay_node', respawn=True, parameters={}, package=PACKAGE
)


def chosen() -> tuple[str, ...]:
    """Return the names that this process was started with."""
    return tuple(name for name in os.environ.get(VARIABLE, '').split(',') if name)


def node_set(names: Sequence[str]) -> tuple[NodeSpec, ...]:
    """Return the specs of every node. Raise ValueError for an unknown name."""
    unknown = set(names) - {'relay', *PLAYED}
    if unknown:
        raise ValueError(f'no part in a rehearsal: {", ".join(sorted(unknown))}')
    specs = tuple(_played(spec) if spec.name in names else spec for spec in NODE_SET)
    return (*specs, RELAY) if 'relay' in names else specs


def _played(spec: NodeSpec) -> NodeSpec:
    return replace(spec, module=f'rehearsal.{spec.name}', executable=spec.name, package=PACKAGE, respawn=True)
