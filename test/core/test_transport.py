"""Which transport a node uses, and that people may choose another."""

from __future__ import annotations

from pathlib import Path
import xml.etree.ElementTree as ET

import pytest
from robot_tool_agent.transport import LOOPBACK_FILE, transport_settings
from sim_house import CONFIG


def test_a_node_on_a_network_uses_udp_alone() -> None:
    assert transport_settings({}, CONFIG) == {'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4'}
    wide = {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET'}
    assert transport_settings(wide, CONFIG) == {'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4'}


def test_a_node_that_stays_on_its_machine_uses_the_loopback_profile() -> None:
    settings = transport_settings({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}, CONFIG)
    assert settings['ROS_AUTOMATIC_DISCOVERY_RANGE'] == 'SYSTEM_DEFAULT'
    assert Path(settings['FASTRTPS_DEFAULT_PROFILES_FILE']).is_file()
    assert settings['FASTDDS_DEFAULT_PROFILES_FILE'] == settings['FASTRTPS_DEFAULT_PROFILES_FILE']


@pytest.mark.parametrize(
    'name',
    [
        'FASTDDS_BUILTIN_TRANSPORTS',
        'FASTRTPS_DEFAULT_PROFILES_FILE',
        'FASTDDS_DEFAULT_PROFILES_FILE',
        'ROS_STATIC_PEERS',
        'ROS_DISCOVERY_SERVER',
    ],
)
def test_what_a_person_chose_stays(name: str) -> None:
    assert transport_settings({name: 'mine', 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}, CONFIG) == {}


def test_another_middleware_keeps_its_range() -> None:
    other = {'RMW_IMPLEMENTATION': 'rmw_cyclonedds_cpp', 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    assert transport_settings(other, CONFIG) == {}
    named = {'RMW_IMPLEMENTATION': 'rmw_fastrtps_cpp'}
    assert transport_settings(named, CONFIG) == {'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4'}


def test_a_child_of_a_process_of_ours_stays_on_its_machine_too() -> None:
    asked = {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    first = transport_settings(asked, CONFIG)
    assert transport_settings({**first, **asked}, CONFIG) == first
    assert transport_settings({'FASTDDS_BUILTIN_TRANSPORTS': 'UDPv4', **asked}, CONFIG) == first


def test_the_profile_allows_nothing_but_the_loopback_interface() -> None:
    tree = ET.parse(CONFIG / LOOPBACK_FILE)
    texts = {element.tag.rpartition('}')[2]: (element.text or '').strip() for element in tree.iter()}
    assert texts['type'] == 'UDPv4'
    assert texts['useBuiltinTransports'] == 'false'
    addresses = [element.text for element in tree.iter() if element.tag.endswith('address')]
    assert addresses == ['127.0.0.1', '127.0.0.1']
