"""Child processes of `rta up`: started, watched, printed, ended. Knows nothing of ROS."""
