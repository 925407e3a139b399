"""Model providers and the rule-based planner; nothing here knows ROS."""
