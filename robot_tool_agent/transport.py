"""
Keeps a node off shared memory, where the death of one process stalls all others.

Measured with Fast DDS 2.14: after SIGKILL of a process, `publish` of its neighbours blocked for 0.3 to 1 s, using no
processor time, in one of three kills; over UDP in none. A safety node must not depend on how another process ends.
"""

from __future__ import annotations

from collections.abc import Mapping
import os
from pathlib import Path

from robot_tool_agent.share_files import share_folder

RANGE = 'ROS_AUTOMATIC_DISCOVERY_RANGE'
BUILT_IN, UDP = 'FASTDDS_BUILTIN_TRANSPORTS', 'UDPv4'
PROFILES = ('FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE')
LOOPBACK_FILE = 'fastdds_loopback.xml'
# With one of these a person has laid out discovery; and another middleware would only lose its range.
LAID_OUT = ('ROS_STATIC_PEERS', 'ROS_DISCOVERY_SERVER')
MIDDLEWARE, FAST_DDS = 'RMW_IMPLEMENTATION', 'rmw_fastrtps_cpp'


def choose_transport() -> None:
    """Set this process's environment before it joins the ROS graph. Raise ConfigError if the profile is missing."""
    os.environ.update(transport_settings(os.environ, share_folder() / 'config'))


def transport_settings(environment: Mapping[str, str], config_folder: Path) -> dict[str, str]:
    """
    Return the environment variables to set before a node joins; none where a person chose another transport.

    With the range LOCALHOST the ROS layer adds shared memory whatever Fast DDS is told, so the range is left to a
    profile that allows the loopback interface alone.
    """
    if environment.get(MIDDLEWARE, FAST_DDS) != FAST_DDS or _is_chosen(environment):
        return {}
    if environment.get(RANGE) != 'LOCALHOST':
        return {BUILT_IN: UDP}
    return {RANGE: 'SYSTEM_DEFAULT', **dict.fromkeys(PROFILES, str(config_folder / LOOPBACK_FILE))}


def _is_chosen(environment: Mapping[str, str]) -> bool:
    """Tell whether a person chose. What a parent process of ours has set counts as not chosen."""
    if any(environment.get(name) for name in LAID_OUT):
        return True
    files = [environment.get(name, '') for name in PROFILES]
    return environment.get(BUILT_IN, UDP) != UDP or any(file and Path(file).name != LOOPBACK_FILE for file in files)
