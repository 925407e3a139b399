"""ROS parameters from a pydantic model: one declaration gives name, type, unit, range and default."""

from collections.abc import Mapping
from typing import Any, cast, TypeVar

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter
from robot_tool_agent.config_files import ConfigError, explain
from robot_tool_agent.core.robot.base import ConfigModel

Model = TypeVar('Model', bound=ConfigModel)
CLOCK = 'use_sim_time'
# Given by ROS itself where a topic's QoS may be chosen; none of ours may.
OF_ROS = 'qos_overrides.'


def declare(node: Node, model: type[Model]) -> Model:
    """
    Declare a read-only parameter for every field of a model and return their checked values.

    The model checks all of them together, so that one start shows every fault, names that no parameter has among them.
    Which clock the node runs by is fixed from now on too. Raise ConfigError with a line for each fault.
    """
    given = {name: _given(node, name, field) for name, field in model.model_fields.items()}
    given = {name: value for name, value in given.items() if value is not None}
    try:
        checked = model.model_validate({**_unknown(node), **given})
    except ValidationError as error:
        lines = explain(error, model)
        raise ConfigError('\n'.join(f'{node.get_name()}: parameter {line}' for line in lines)) from None
    for name, field in model.model_fields.items():
        value = getattr(checked, name)
        kept = Parameter(name, value=list(value) if isinstance(value, tuple) else value)
        if value is not None:
            node.set_parameters([kept])
        node.set_descriptor(name, _descriptor(field, kept.type_))
    node.set_descriptor(CLOCK, ParameterDescriptor(type=Parameter.Type.BOOL.value, read_only=True))
    return checked


def _given(node: Node, name: str, field: FieldInfo) -> Any:
    """Return what the command line, a parameter file or the default says; None where nothing does."""
    default = None if field.default is PydanticUndefined else field.get_default(call_default_factory=True)
    start = list(default) if isinstance(default, tuple) else default
    # Typed only after the check: rclpy would stop at the first fault and refuse 5 for 5.0.
    value = node.declare_parameter(name, start, ParameterDescriptor(dynamic_typing=True)).value
    if value is None and name in _overrides(node):
        return ()  # an empty list, of which rclpy does not know the type
    return tuple(value) if isinstance(value, (list, tuple)) else value


def _overrides(node: Node) -> Mapping[str, Parameter]:
    """Return what the command line and parameter files say for this node. rclpy has no public way to ask."""
    return cast(Mapping[str, Parameter], node._parameter_overrides)


def _unknown(node: Node) -> dict[str, Any]:
    """Return what was given under names that no parameter has: a misspelt limit must not pass as its default."""
    strangers = [name for name in _overrides(node) if not node.has_parameter(name)]
    return {name: _overrides(node)[name].value for name in strangers if not name.startswith(OF_ROS)}


def _descriptor(field: FieldInfo, kind: Parameter.Type) -> ParameterDescriptor:
    unset = kind is Parameter.Type.NOT_SET  # and stays so
    descriptor = ParameterDescriptor(
        description=field.description or '', type=kind.value, read_only=True, dynamic_typing=unset
    )
    low = next((item.ge for item in field.metadata if hasattr(item, 'ge')), None)
    high = next((item.le for item in field.metadata if hasattr(item, 'le')), None)
    if low is None or high is None:
        return descriptor
    if field.annotation is int:
        descriptor.integer_range = [IntegerRange(from_value=int(low), to_value=int(high))]
    else:
        descriptor.floating_point_range = [FloatingPointRange(from_value=float(low), to_value=float(high))]
    return descriptor
