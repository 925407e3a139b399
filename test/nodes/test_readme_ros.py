"""What the README says of parameters, topics, services and QoS is what a running system has."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from rcl_interfaces.srv import ListParameters
import rclpy
from rclpy.action import get_action_server_names_and_types_by_node
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node, NodeNameNonExistentError
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from readme_tables import field_rows, parameter_table, tables
from robot_tool_agent.nodes.executor_setup import ExecutorParameters
from robot_tool_agent.nodes.planner_setup import PlannerParameters
from robot_tool_agent.nodes.qos import COMMAND, LATCHED, SENSOR
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.system import RunningSystem

OURS = ('executor', 'planner', 'safety', 'simulator')
NOT_OURS = ('/rosout', '/parameter_events')
GRAPH_TIMEOUT_S = 20.0


def words(qos: QoSProfile, depth: int) -> str:
    """Return a QoS as the README puts it. Discovery does not tell the depth."""
    reliable = 'reliable' if qos.reliability is ReliabilityPolicy.RELIABLE else 'best effort'
    kept = ', transient local' if qos.durability is DurabilityPolicy.TRANSIENT_LOCAL else ''
    return f'{reliable}{kept}, depth {depth}'


DEPTHS = {words(qos, qos.depth).rsplit(',', 1)[0]: qos.depth for qos in (SENSOR, COMMAND, LATCHED)}


def test_parameters_of_executor_and_planner() -> None:
    assert parameter_table('executor') == field_rows(ExecutorParameters)
    assert parameter_table('planner') == field_rows(PlannerParameters)


@pytest.fixture(scope='module')
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """Return a node beside a running system."""
    domain_id, context = free_domain(), Context()
    with RunningSystem(domain_id, tmp_path_factory.mktemp('ros_home')) as system:
        system.wait_ready()
        rclpy.init(context=context, domain_id=domain_id)
        node = rclpy.create_node('reader', context=context)
        try:
            yield node
        finally:
            node.destroy_node()
            context.try_shutdown()


def settle(node: Node, read: Callable[[], object], wanted: object) -> object:
    """Read the graph until it is as wanted or the deadline passed, and return what was read last."""
    executor = SingleThreadedExecutor(context=node.context)
    executor.add_node(node)
    deadline_s = monotonic() + GRAPH_TIMEOUT_S
    seen = read()
    while seen != wanted and monotonic() < deadline_s:
        executor.spin_once(timeout_sec=0.1)
        seen = read()
    executor.shutdown()
    return seen


def names(infos: list[Any]) -> str:
    """Return who is at one end of a topic, as the README puts it."""
    found = sorted({info.node_name for info in infos} & set(OURS))
    return ', '.join('robot' if name == 'simulator' else name for name in found) or '-'


def topic_row(node: Node, name: str, kind: str) -> tuple[str, ...]:
    """Return what the graph says of one topic. The QoS is that of this suite's side."""
    writers, readers = node.get_publishers_info_by_topic(name), node.get_subscriptions_info_by_topic(name)
    from_robot = names(writers) == 'robot'
    side = readers if from_robot and names(readers) != '-' else writers
    profiles = {words(info.qos_profile, 0).rsplit(',', 1)[0] for info in side if info.node_name in OURS}
    qos = ' / '.join(f'{profile}, depth {DEPTHS.get(profile, 0)}' for profile in sorted(profiles))
    return f'`{name.lstrip("/")}`', f'`{kind}`', names(writers), names(readers), qos


def topic_rows(node: Node) -> list[tuple[str, ...]]:
    """Return every topic of the system."""
    listed = [(name, kinds[0]) for name, kinds in node.get_topic_names_and_types() if '/_action/' not in name]
    return sorted(topic_row(node, name, kind) for name, kind in listed if name not in NOT_OURS)


def test_topics_with_type_ends_and_qos(node: Node) -> None:
    (wanted,) = tables('topic')
    assert settle(node, lambda: topic_rows(node), sorted(wanted)) == sorted(wanted)


def served(node: Node) -> list[tuple[str, ...]]:
    """Return every service and action of the system but those every ROS node has."""
    rows = []
    for owner in OURS:
        services = node.get_service_names_and_types_by_node(owner, '/')
        actions = get_action_server_names_and_types_by_node(node, owner, '/')
        own = [(name, kinds[0]) for name, kinds in [*services, *actions]]
        rows += [(f'`{name[1:]}`', f'`{kind}`', owner) for name, kind in own if not name.startswith(f'/{owner}/')]
    return sorted(row for row in rows if '/_action/' not in row[0])


def test_services_and_actions(node: Node) -> None:
    (wanted,) = [rows for rows in tables('name') if len(rows[0]) == 3]
    assert settle(node, lambda: _or_nothing(lambda: served(node)), sorted(wanted)) == sorted(wanted)


def _or_nothing(read: Callable[[], object]) -> object:
    """Return the services of a node, none of one that discovery has not found yet."""
    try:
        return read()
    except NodeNameNonExistentError:
        return None


def test_every_parameter_of_a_running_node_is_listed(node: Node, tmp_path: Path) -> None:
    executor = SingleThreadedExecutor(context=node.context)
    executor.add_node(node)
    for owner in OURS:
        client = node.create_client(ListParameters, f'/{owner}/list_parameters')
        assert client.wait_for_service(timeout_sec=GRAPH_TIMEOUT_S)
        future = client.call_async(ListParameters.Request())
        executor.spin_until_future_complete(future, timeout_sec=GRAPH_TIMEOUT_S)
        has = {name for name in future.result().result.names if name != 'use_sim_time' and '.' not in name}
        wanted = {row[0].strip('`') for row in parameter_table(owner)}
        assert has - {'start_type_description_service'} <= wanted, owner
    executor.shutdown()
