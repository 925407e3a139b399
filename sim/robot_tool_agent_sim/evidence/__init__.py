"""Deterministic episodes: the core on a virtual clock, in one thread, with faults, judged by the world's truth."""
