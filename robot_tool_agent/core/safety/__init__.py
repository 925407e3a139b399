"""The deterministic safety layer: what may move, how fast, and what happens when anything fails."""
