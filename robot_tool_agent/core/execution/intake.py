"""From a goal to a call, or to a refusal: everything that can be said without journal, sensors or waiting."""

from __future__ import annotations

import json
import re

from robot_tool_agent.core.execution.call import Call, CallRequest
from robot_tool_agent.core.execution.results import bounded_text
from robot_tool_agent.core.journal import Admission
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.skills.base import Refusal
from robot_tool_agent.core.skills.registry import SkillRegistry

CALL_ID = re.compile(r'[A-Za-z0-9._:-]{1,128}')
MAX_NAME_CHARS = 256


def take_in(request: CallRequest, registry: SkillRegistry, leased: bool, wall_s: float) -> Call | Refusal:
    """Return a checked call, or why it is none."""
    fault = _fault(request)
    if fault is not None:
        return Refusal(ErrorCode.INVALID_ARGUMENT, fault)
    skill = registry.create(request.skill, request.arguments_json)
    if isinstance(skill, Refusal):
        return skill
    arguments = skill.arguments.model_dump(mode='json')
    admission = Admission(
        call_id=request.call_id,
        fingerprint=canonical_json([request.skill, arguments]),
        task_id=request.task_id,
        skill=request.skill,
        arguments_json=canonical_json(arguments),
        requested_by=request.requested_by,
        resources=frozenset(name.value for name in skill.resources),
        idempotent=skill.idempotent,
        reads_only=skill.reads_only,
    )
    return Call(request, skill, admission, registry.timeout_s(request.skill), leased=leased, admitted_wall_s=wall_s)


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys and no spaces, equal for equal values (after RFC 8785's idea)."""
    return json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False, allow_nan=False)


def _fault(request: CallRequest) -> str | None:
    if not CALL_ID.fullmatch(request.call_id):
        shown = bounded_text(request.call_id, 60)
        return f'call_id = {shown!r}: must be 1 to 128 characters of letters, digits and . _ : -'
    for name, text in (('task_id', request.task_id), ('requested_by', request.requested_by)):
        if len(text) > MAX_NAME_CHARS:
            return f'{name}: must be at most {MAX_NAME_CHARS} characters, has {len(text)}'
    return None
