"""Strikes: waits for the moment, then does what the table says."""

from __future__ import annotations

from collections.abc import Callable
import signal
import time
import uuid

from action_msgs.srv import CancelGoal
from players.outsiders import dying_client, second_executor
from players.stage import Run, Stage
from robot_tool_agent_sim.harness.probe import Probe
from scenario_types import Act, Strike

STRIKE_TIMEOUT_S = 20.0


def strike(stage: Stage, what: Strike, run: Run) -> None:
    """Wait for the moment of a strike and let it happen."""
    if not what.before_start:
        _wait_moment(stage.probe, what, run)
    run.last_strike_s = time.monotonic()
    if run.struck_s is None and not what.before_start:
        run.struck_s = run.last_strike_s
    _ACTS[what.act](stage, what, run)


def _wait_moment(probe: Probe, what: Strike, run: Run) -> None:
    def come() -> bool:
        counted, state = probe.counters(), probe.state()
        return (
            counted['travelled_m'] >= (what.after_m or 0.0)
            and counted['turned_rad'] >= (what.after_rad or 0.0)
            and counted['picks'] >= (what.after_picks or 0)
            and time.monotonic() - run.last_strike_s >= (what.after_s or 0.0)
            and (what.in_mode is None or (state is not None and state.mode is what.in_mode))
        )

    probe.wait_until(come, STRIKE_TIMEOUT_S, f'the moment of {what}')


def _fault(stage: Stage, what: Strike, run: Run) -> None:
    stage.probe.set_fault(what.subject)


def _messages(stage: Stage, what: Strike, run: Run) -> None:
    stage.probe.set_saboteur(what.subject)


def _kill(stage: Stage, what: Strike, run: Run) -> None:
    stage.signal(what.subject, signal.SIGKILL)


def _pause(stage: Stage, what: Strike, run: Run) -> None:
    stage.signal(what.subject, signal.SIGSTOP)
    stage.held.add(what.subject)


def _continue(stage: Stage, what: Strike, run: Run) -> None:
    stage.signal(what.subject, signal.SIGCONT)
    stage.held.discard(what.subject)


def _order(stage: Stage, what: Strike, run: Run) -> None:
    name, _, value = what.subject.partition('=')
    stage.orders.give(name, value)


def _operator_stop(stage: Stage, what: Strike, run: Run) -> None:
    assert stage.probe.trip().success


def _reset(stage: Stage, what: Strike, run: Run) -> None:
    stage.probe.reset_safety()


def _cancel(stage: Stage, what: Strike, run: Run) -> None:
    run.the_goal().cancel()


def _cancel_old(stage: Stage, what: Strike, run: Run) -> None:
    run.earlier[-1].cancel()


def _cancel_unborn(stage: Stage, what: Strike, run: Run) -> None:
    run.goal_uuid = uuid.uuid4().bytes
    assert stage.probe.cancel_goal(run.goal_uuid) != CancelGoal.Response.ERROR_NONE


def _call(stage: Stage, what: Strike, run: Run) -> None:
    assert what.call is not None
    assert what.ends is not None
    goal = stage.send(what.call, run.goal)
    if what.within_s is not None:
        goal.result(what.within_s)
    run.others.append((goal, what.ends))


def _decide(stage: Stage, what: Strike, run: Run) -> None:
    answer = stage.probe.decide(run.the_goal().message.call_id, what.subject == 'approve')
    assert answer.success, answer.message


def _interrupt(stage: Stage, what: Strike, run: Run) -> None:
    run.exit_code = stage.interrupt()


def _commands(stage: Stage, what: Strike, run: Run) -> None:
    stage.intruder().command(what.subject)


def _rival(stage: Stage, what: Strike, run: Run) -> None:
    stage.intruder().rival()


_ACTS: dict[Act, Callable[[Stage, Strike, Run], None]] = {
    Act.FAULT: _fault,
    Act.MESSAGES: _messages,
    Act.KILL: _kill,
    Act.PAUSE: _pause,
    Act.CONTINUE: _continue,
    Act.ORDER: _order,
    Act.OPERATOR_STOP: _operator_stop,
    Act.RESET: _reset,
    Act.CANCEL: _cancel,
    Act.CANCEL_OLD: _cancel_old,
    Act.CANCEL_UNBORN: _cancel_unborn,
    Act.CALL: _call,
    Act.DECIDE: _decide,
    Act.DYING_CLIENT: dying_client,
    Act.SECOND_EXECUTOR: second_executor,
    Act.INTERRUPT: _interrupt,
    Act.COMMANDS: _commands,
    Act.RIVAL: _rival,
}
