"""Thin ROS 2 skins over the core: one module per process, none imports another."""
