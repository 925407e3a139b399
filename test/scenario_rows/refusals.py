"""Calls that are refused before anything moves."""

from __future__ import annotations

from scenario_types import Scenario, SkillCall
from scenario_words import refused, UNTOUCHED

SCENARIOS: tuple[Scenario, ...] = tuple(
    Scenario(name, SkillCall(skill, arguments, call_id), refused(error), UNTOUCHED, time_s=(0.0, 5.0), quick=True)
    for name, skill, arguments, call_id, error in (
        ('unknown_place', 'navigate_to', '{"place": "moon"}', '', 'UNKNOWN_ENTITY'),
        ('unknown_skill', 'fly', '{}', '', 'UNKNOWN_SKILL'),
        ('bad_json', 'move_relative', '{"distance_m": 0.5', '', 'INVALID_JSON'),
        ('nan', 'move_relative', '{"distance_m": NaN}', '', 'INVALID_JSON'),
        ('infinite', 'move_relative', '{"distance_m": 1e999}', '', 'INVALID_JSON'),
        ('number_as_text', 'move_relative', '{"distance_m": "0.5"}', '', 'INVALID_ARGUMENT'),
        ('goal_outside_the_map', 'navigate_to', '{"x_m": 50.0, "y_m": 2.0, "yaw_rad": 0.0}', '', 'INVALID_ARGUMENT'),
        ('call_id_with_spaces', 'move_relative', '{"distance_m": 0.5}', 'a call', 'INVALID_ARGUMENT'),
        ('nothing_to_place', 'place', '{"place": "table"}', '', 'PRECONDITION_FAILED'),
    )
)
