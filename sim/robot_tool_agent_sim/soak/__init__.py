"""Tasks with random faults on real processes for a long time: what grows, what is missed, what is claimed."""
