"""ROS parameters from a pydantic model: one declaration gives name, type, unit, range and default."""

from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter

from robot_tool_agent.config_files import ConfigError, explain
from robot_tool_agent.core.robot.base import ConfigModel

Model = TypeVar('Model', bound=ConfigModel)


def declare(node: Node, model: type[Model]) -> Model:
    """Declare a read-only parameter for every field of a model and return their checked values.

    The model checks all of them together, so that one start shows every fault. Raise ConfigError with a line for each.
    """
    given = {name: _given(node, name, field) for name, field in model.model_fields.items()}
    try:
        checked = model.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        lines = explain(error, model)
        raise ConfigError('\n'.join(f'{node.get_name()}: parameter {line}' for line in lines)) from None
    for name, field in model.model_fields.items():
        value = getattr(checked, name)
        if value is not None:
            kept = Parameter(name, value=list(value) if isinstance(value, tuple) else value)
            node.set_parameters([kept])
            node.set_descriptor(name, _descriptor(field, kept.type_))
    return checked


def _given(node: Node, name: str, field: FieldInfo) -> Any:
    """Return what the command line, a parameter file or the default says; None where nothing does."""
    default = None if field.default is PydanticUndefined else field.get_default(call_default_factory=True)
    start = list(default) if isinstance(default, tuple) else default
    # Typed only after the check: rclpy would stop at the first fault and refuse 5 for 5.0.
    value = node.declare_parameter(name, start, ParameterDescriptor(dynamic_typing=True)).value
    return tuple(value) if isinstance(value, (list, tuple)) else value


def _descriptor(field: FieldInfo, kind: Parameter.Type) -> ParameterDescriptor:
    descriptor = ParameterDescriptor(description=field.description or '', type=kind.value, read_only=True)
    low = next((item.ge for item in field.metadata if hasattr(item, 'ge')), None)
    high = next((item.le for item in field.metadata if hasattr(item, 'le')), None)
    if low is None or high is None:
        return descriptor
    if field.annotation is int:
        descriptor.integer_range = [IntegerRange(from_value=int(low), to_value=int(high))]
    else:
        descriptor.floating_point_range = [FloatingPointRange(from_value=float(low), to_value=float(high))]
    return descriptor
