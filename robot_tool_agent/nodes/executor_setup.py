"""Parameters of the executor node and what is built from them."""

from pathlib import Path

from pydantic import Field
from rclpy.node import Node

from robot_tool_agent.config_files import ConfigError, load_robot
from robot_tool_agent.core.execution.approvals import ApprovalDesk
from robot_tool_agent.core.execution.config import ExecutionConfig
from robot_tool_agent.core.execution.executive import Executive
from robot_tool_agent.core.execution.hub import Hub
from robot_tool_agent.core.execution.ports import Ports
from robot_tool_agent.core.execution.safety_watch import SafetyWatch
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.journal import Journal, JournalError
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.registry import SkillRegistry, SkillSetError
from robot_tool_agent.journal_path import default_journal_path
from robot_tool_agent.nodes.clock import wall_now_s


class ExecutorParameters(ExecutionConfig):
    """ROS parameters of the executor node."""

    robot_file: str = Field(min_length=1, description='path of the robot description YAML')
    journal_path: str = Field(
        default='',
        description='path of the journal; empty: robot_tool_agent/<namespace>/journal.sqlite3 in ROS_HOME or ~/.ros',
    )
    tick_hz: float = Field(default=20.0, ge=5.0, le=100.0, description='rate at which skills tick, Hz')
    result_timeout_s: float = Field(default=900.0, ge=10.0, le=86400.0, description='how long results are kept, s')


def build_executive(node: Node, parameters: ExecutorParameters, ports: Ports) -> Executive:
    """Read the robot, open and recover the journal, build the executive. Raise ConfigError if that cannot be done."""
    robot = load_robot(parameters.robot_file)
    try:
        registry = SkillRegistry(robot)
    except SkillSetError as error:
        raise ConfigError('\n'.join(f'{parameters.robot_file}: {line}' for line in str(error).splitlines())) from None
    hub = Hub(
        robot=robot,
        config=parameters,
        journal=_open_journal(node, parameters),
        ports=ports,
        view=SensorView(robot),
        safety=SafetyWatch(parameters.safety_timeout_s),
        heartbeats=HeartbeatMonitor(parameters.lease_timeout_s),
        approvals=ApprovalDesk(robot.approvals),
    )
    return Executive(hub, registry)


def _open_journal(node: Node, parameters: ExecutorParameters) -> Journal:
    path = Path(parameters.journal_path or default_journal_path(node.get_namespace()))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = Journal.open(str(path))
        for record in journal.recover(wall_now_s()):
            call = record.admission
            node.get_logger().warning(f'unresolved: {call.skill} (call {call.call_id}); see `rta journal show`')
    except (OSError, JournalError) as error:
        raise ConfigError(f'{node.get_name()}: parameter journal_path = {str(path)!r}: {error}') from None
    return journal
