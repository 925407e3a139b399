"""Parameters of the executor node and what is built from them."""

from pathlib import Path

from pydantic import Field
from rclpy.node import Node
from robot_tool_agent.config_files import ConfigError, load_robot
from robot_tool_agent.core.execution.approvals import ApprovalDesk
from robot_tool_agent.core.execution.breaker import CircuitBreaker
from robot_tool_agent.core.execution.config import ExecutionConfig
from robot_tool_agent.core.execution.executive import Executive
from robot_tool_agent.core.execution.hub import Hub
from robot_tool_agent.core.execution.ports import Ports
from robot_tool_agent.core.execution.safety_watch import SafetyWatch
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.journal import BrokenJournal, CallRecord, Journal, JournalError, JournalInUseError
from robot_tool_agent.core.robot import Backend, RobotDescription
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.base import Services
from robot_tool_agent.core.skills.registry import SkillRegistry, SkillSetError
from robot_tool_agent.journal_path import default_journal_path
from robot_tool_agent.nodes.clock import wall_now_s
from robot_tool_agent.skill_plugins import plugin_skills, PluginError


class ExecutorParameters(ExecutionConfig):
    """ROS parameters of the executor node."""

    robot_file: str = Field(min_length=1, description='path of the robot description YAML')
    journal_path: str = Field(
        default='',
        description='path of the journal; empty: robot_tool_agent/<namespace>/journal.sqlite3 in ROS_HOME or ~/.ros',
    )
    tick_hz: float = Field(default=20.0, ge=5.0, le=100.0, description='rate at which skills tick, Hz')
    exclusive_wait_s: float = Field(
        default=2.0, ge=0.0, le=30.0, description='how long another executor is listened for before serving, s'
    )
    result_timeout_s: float = Field(default=900.0, ge=10.0, le=86400.0, description='how long results are kept, s')


def build_executive(node: Node, parameters: ExecutorParameters, ports: Ports) -> Executive:
    """Read the robot, open and recover the journal, build the executive. Raise ConfigError if that cannot be done."""
    robot = load_robot(parameters.robot_file)
    try:
        registry = SkillRegistry(robot, plugin_skills(), _services(node, robot))
    except PluginError as error:
        raise ConfigError(str(error)) from None
    except SkillSetError as error:
        raise ConfigError('\n'.join(f'{parameters.robot_file}: {line}' for line in str(error).splitlines())) from None
    journal, unresolved = _open_journal(node, parameters)
    hub = Hub(
        robot=robot,
        config=parameters,
        journal=journal,
        ports=ports,
        view=SensorView(robot),
        safety=SafetyWatch(parameters.safety_timeout_s),
        heartbeats=HeartbeatMonitor(parameters.lease_timeout_s),
        approvals=ApprovalDesk(robot),
        breaker=CircuitBreaker(parameters.breaker_failures, parameters.breaker_window_s, parameters.breaker_open_s),
        registry=registry,
    )
    executive = Executive(hub)
    executive.resolver.take(unresolved)
    return executive


def _services(node: Node, robot: RobotDescription) -> Services:
    """Return what skills use outside this process. Nav2's package is imported only where the robot uses it."""
    if robot.navigation.backend is Backend.BUILT_IN:
        return Services()
    from robot_tool_agent.nodes.nav2_navigator import Nav2Navigator

    return Services(Nav2Navigator(node, robot))


def _open_journal(node: Node, parameters: ExecutorParameters) -> tuple[Journal, list[CallRecord]]:
    """Open and recover the journal. Raise ConfigError if another executor has it; a broken one moves nothing."""
    path = Path(parameters.journal_path or default_journal_path(node.get_namespace()))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = Journal.open(str(path))
        unresolved = journal.recover(wall_now_s())
    except JournalInUseError as error:
        raise ConfigError(f'{node.get_name()}: parameter journal_path = {str(path)!r}: {error}') from None
    except (OSError, JournalError) as error:
        reason = f'{path}: {error}'
        node.get_logger().error(f'no motion will be served: the journal cannot be used: {reason}')
        return BrokenJournal(reason), []
    for record in unresolved:
        call = record.admission
        node.get_logger().warning(f'unresolved: {call.skill} (call {call.call_id}); see `rta journal show`')
    return journal, unresolved
