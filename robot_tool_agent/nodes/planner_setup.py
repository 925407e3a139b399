"""Parameters of the planner node and what is built from them."""

import os

from pydantic import Field, field_validator
from rclpy.node import Node
from robot_tool_agent.config_files import ConfigError, load_robot
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.llm.provider import Provider
from robot_tool_agent.llm.registry import create, NAMES
from robot_tool_agent.llm.settings import ProviderSettings
from robot_tool_agent.nodes.parameters import declare


class PlannerParameters(ProviderSettings, PlannerLimits):
    """ROS parameters of the planner node."""

    robot_file: str = Field(default='', description='path of the robot description YAML; only checked')
    provider: str = Field(default='rules', description=f'model providers in order, commas between: {", ".join(NAMES)}')
    tick_hz: float = Field(default=20.0, ge=5.0, le=100.0, description='rate at which deadlines are checked, Hz')
    executor_lost_s: float = Field(default=2.0, ge=0.3, le=60.0, description='executor is lost after this silence, s')
    safety_timeout_s: float = Field(default=1.0, ge=0.2, le=60.0, description='safety is unknown after this silence, s')
    memory_path: str = Field(
        default='',
        description='path of the memory of tasks; empty: tasks.sqlite3 beside the journal of the namespace',
    )
    memory_tasks: int = Field(default=200, ge=1, le=1_000_000, description='how many tasks are kept')
    memory_timeout_s: float = Field(default=5.0, ge=0.5, le=60.0, description='for the memory to answer, s')
    resume_within_s: float = Field(
        default=600.0, ge=0.0, le=86400.0, description='how old an interrupted task may be to be taken up again, s'
    )
    failures_path: str = Field(
        default='', description='path of the samples of failures; empty: failures.jsonl beside the journal'
    )
    failures_max_bytes: int = Field(
        default=5_000_000, ge=200_000, le=1_000_000_000, description='what the samples take at most, bytes'
    )
    failure_window_s: float = Field(default=600.0, ge=1.0, le=86400.0, description='window of failure rates, s')
    failure_alarm_rate: float = Field(default=0.5, ge=0.01, le=1.0, description='share of failures that is an alarm')
    failure_alarm_count: int = Field(default=5, ge=1, le=1000, description='failures below which there is no alarm')
    result_timeout_s: float = Field(default=900.0, ge=10.0, le=86400.0, description='how long results are kept, s')

    @field_validator('provider')
    @classmethod
    def _known(cls, names: str) -> str:
        chosen = provider_names(names)
        if not chosen or not set(chosen) <= set(NAMES) or len(set(chosen)) < len(chosen):
            raise ValueError(f'names with commas between, each once; valid: {", ".join(NAMES)}')
        return ','.join(chosen)


def provider_names(names: str) -> list[str]:
    """Return the names in a list as a person types it."""
    return [name.strip() for name in names.split(',') if name.strip()]


def read_parameters(node: Node) -> tuple[PlannerParameters, dict[str, Provider]]:
    """Return the checked parameters and the providers in order. Raise ConfigError with every fault found."""
    parameters = declare(node, PlannerParameters)
    if parameters.robot_file:
        load_robot(parameters.robot_file)
    return parameters, _providers(node.get_name(), parameters)


def _providers(node: str, parameters: PlannerParameters) -> dict[str, Provider]:
    made: dict[str, Provider] = {}
    faults: list[str] = []
    for name in provider_names(parameters.provider):
        try:
            made[name] = create(name, parameters, os.environ)
        except ValueError as error:
            faults.append(f'{node}: provider {name}: {error}')
    if faults:
        raise ConfigError('\n'.join(faults))
    return made
