"""The demonstration: three acts on the simulated robot, judged by ground truth."""
