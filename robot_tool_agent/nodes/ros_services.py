"""
The services by which a node's parameters are set, made to refuse what rclpy does not.

A type that no value can have would end the node, and a parameter without a name would be made.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from rcl_interfaces.msg import Parameter, SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter as RosParameter
from robot_tool_agent.nodes.told_text import told_text

MOST_TOLD = 5
NAMELESS = 'a parameter has a name'
TYPES = {kind.value for kind in RosParameter.Type}
Serve = Callable[[Any, Any], Any]


def guard_services(node: Node) -> None:
    """Put a guard before the services of a node. What it refuses changes nothing."""
    guards = {SetParameters: _set_each, SetParametersAtomically: _set_all}
    for service in node.services:
        if service.srv_type in guards:
            service.callback = partial(guards[service.srv_type], service.callback)


def _set_each(serve: Serve, request: SetParameters.Request, response: SetParameters.Response) -> SetParameters.Response:
    for parameter in request.parameters:
        fault = _fault(parameter)
        one = None if fault else serve(SetParameters.Request(parameters=[parameter]), SetParameters.Response())
        response.results.extend([_refusal(fault)] if one is None else one.results)
    return response


def _set_all(
    serve: Serve, request: SetParametersAtomically.Request, response: SetParametersAtomically.Response
) -> SetParametersAtomically.Response:
    faults = [fault for fault in map(_fault, request.parameters) if fault]
    if not faults:
        return serve(request, response)
    response.result = _refusal('; '.join(faults[:MOST_TOLD]))
    return response


def _fault(parameter: Parameter) -> str:
    """Return what is wrong with a parameter whoever it is meant for, empty if nothing is."""
    if not parameter.name:
        return NAMELESS
    kind = parameter.value.type
    return '' if kind in TYPES else f'{told_text(parameter.name, 64)}: no value has the type {kind}'


def _refusal(reason: str) -> SetParametersResult:
    return SetParametersResult(successful=False, reason=reason)
