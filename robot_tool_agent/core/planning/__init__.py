"""The planner's loop: an instruction becomes checked skill calls. No ROS, no model, no clock in here."""
