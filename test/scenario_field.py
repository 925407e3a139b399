"""Failures that users of other systems have met, as their issue trackers name them, and the rows that play them."""

from __future__ import annotations

FIELD_FAILURES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ('a cancel before the goal is accepted', ('cancel_before_the_goal',)),
    ('a stale handle used for the next goal', ('stale_handle_used_for_the_next_goal',)),
    ('a cancel that meets an ending goal', ('cancel_meets_the_end', 'cancel_twice')),
    ('a cancel accepted while motion goes on', ('kind_6',)),
    ('success reported at 60 % of the way', ('success_reported_at_60_percent', 'wheels_slip')),
    ('success with no motion', ('kind_2',)),
    ('an action server killed in mid-goal and restarted', ('kind_5', 'executor_killed')),
    ('a goal response lost in discovery', ('goal_response_lost_in_discovery', 'goal_response_late')),
    ('a result asked for after it expired', ('result_asked_after_it_expired',)),
    ('an exception half way', ('kind_3',)),
    ('two servers on one name', ('two_servers_on_one_name', 'two_servers_on_one_journal')),
    ('a client killed right after sending', ('client_killed_right_after_sending',)),
    ('an abort that leaves the last velocity', ('kind_3', 'too_slow')),
    ('a late command after a cancel', ('late_command_after_cancel',)),
    ('an unanswered cancel', ('unanswered_cancel',)),
    ('a stale transform used as current', ('stale_transform_used_as_current', 'old_transform_under_new_stamps')),
    ('a sensor frozen exactly on the goal', ('kind_7',)),
    ('a node respawned in mid-goal', ('executor_comes_back_late', 'planner_killed')),
    ('a blocking cancel callback', ('cancel_that_must_not_block',)),
    ('numbers as text with dependent later steps', ('numbers_as_text_with_dependent_steps',)),
    ('injected text in a label', ('injected_text_in_a_label',)),
    ('a zero quaternion and NaN', ('odom_zero_quaternion', 'odom_nan', 'command_is_no_number')),
    ('a lock that only goes silent', ('lock_that_only_goes_silent', 'safety_hangs_and_wakes')),
    ('a jump when a stop is released', ('jump_when_a_stop_is_released',)),
    ('SIGINT to the launch', ('sigint_to_the_launch',)),
)
