"""The skills over the Model Context Protocol. Files named `ros_*` know ROS, the others do not."""
