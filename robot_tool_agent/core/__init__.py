"""ROS-free logic: no clock, no sleep, no randomness; time comes in as ``now_s`` (steady seconds)."""
