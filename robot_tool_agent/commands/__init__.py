"""
The commands of `rta`, one module each: `add_parser(commands)` declares it, its `run(arguments) -> int` does it.

ROS is imported inside the functions that need it, so that `rta --help` answers at once.
"""
