"""
A relay between callers and the executor.

Node `relay`. Action server `execute_skill` for the callers, action client `execute_skill_real` of the executor, which
must be started with the arguments of `aside()`. It subscribes `motion_command_at_executor`, `safety_state`, `odom` and
publishes `motion_command`, `safety_state_at_executor`, `odom_at_executor`. Times run on the steady clock.
Parameters: those of `RelaySettings`, fixed at start, and `saboteur` (a name in saboteurs.py), which may be set at any
time. One of the action mistreats the next `strikes` goals, all later ones are passed on faithfully; one of a topic
mistreats every message until another is set.
"""

from collections.abc import Callable, Sequence
from functools import partial
import math
import sys
from typing import Any

from action_msgs.msg import GoalStatus
from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.action import ActionClient, ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.task import Future
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.nodes.parameters import declare
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_interfaces.action import ExecuteSkill
from robot_tool_agent_sim.relay.errand import Errand
from robot_tool_agent_sim.relay.saboteurs import Chance, HONEST, NAMES, Saboteur, SABOTEURS, Span, TOPIC_SABOTEURS
from robot_tool_agent_sim.relay.settings import RelaySettings
from robot_tool_agent_sim.relay.topics import remaps, TopicRelay

CALLER_SIDE, EXECUTOR_SIDE = 'execute_skill', 'execute_skill_real'
ASK_AGAIN_S = 0.05
# What an action is made of in the ROS graph; remapping its own name moves none of them.
_PARTS = ('send_goal', 'cancel_goal', 'get_result', 'feedback', 'status')


def aside() -> tuple[str, ...]:
    """Return the ROS arguments by which an executor leaves the names of its action and topics to the relay."""
    action = {f'{CALLER_SIDE}/_action/{part}': f'{EXECUTOR_SIDE}/_action/{part}' for part in _PARTS}
    pairs = (f'{old}:={new}' for old, new in {**action, **remaps()}.items())
    return tuple(word for pair in pairs for word in ('-r', pair))


class RelayNode(Node):
    """Carries goals, feedback, cancels and ends, or does not."""

    def __init__(self) -> None:
        super().__init__('relay')
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        descriptor = ParameterDescriptor(additional_constraints=f'one of {", ".join(NAMES)}')
        saboteur = str(self.declare_parameter('saboteur', HONEST, descriptor).value)
        self._settings = declare(self, RelaySettings)
        if saboteur not in NAMES:
            raise ConfigError(f'relay: parameter {_unknown(saboteur)}')
        self._chance = Chance(self._settings.seed)
        self._errands: dict[int, Errand] = {}
        self._topics = TopicRelay(self, self._chance, self._later)
        self._take_saboteur(saboteur)
        self.add_on_set_parameters_callback(self._check_saboteur)
        self.add_post_set_parameters_callback(self._apply_saboteur)
        self._executor_side = ActionClient(self, ExecuteSkill, EXECUTOR_SIDE)
        self._caller_side = ActionServer(
            self,
            ExecuteSkill,
            CALLER_SIDE,
            self._execute,
            goal_callback=self._on_goal,
            cancel_callback=self._on_cancel,
            # A goal whose acceptance is held back must not hold back the rest.
            callback_group=ReentrantCallbackGroup(),
        )

    def _take_saboteur(self, name: str) -> None:
        self._topics.saboteur = TOPIC_SABOTEURS.get(name)
        self._saboteur, self._strikes_left = SABOTEURS.get(name, SABOTEURS[HONEST]), self._settings.strikes

    def _check_saboteur(self, changed: list[Parameter]) -> SetParametersResult:
        for parameter in changed:
            if parameter.name == 'saboteur' and parameter.value not in NAMES:
                return SetParametersResult(successful=False, reason=_unknown(parameter.value))
        return SetParametersResult(successful=True)

    def _apply_saboteur(self, changed: list[Parameter]) -> None:
        for parameter in changed:
            if parameter.name == 'saboteur':
                self._take_saboteur(parameter.value)

    async def _on_goal(self, goal: ExecuteSkill.Goal) -> GoalResponse:
        errand = Errand(goal, self._next_saboteur())
        # rclpy gives the accepted handle this very message, which lives as long as its errand.
        self._errands[id(goal)] = errand
        for span in errand.saboteur.copies:
            self._later(span, partial(self._send, errand))
        accepted: Future = Future()
        self._later(errand.saboteur.acceptance, partial(accepted.set_result, None))
        await accepted
        return GoalResponse.ACCEPT

    def _next_saboteur(self) -> Saboteur:
        if self._strikes_left <= 0:
            return SABOTEURS[HONEST]
        self._strikes_left -= 1
        return self._saboteur

    async def _execute(self, caller: ServerGoalHandle) -> ExecuteSkill.Result:
        errand = self._errands[id(caller.request)]
        errand.caller = caller
        status, result = await errand.reply
        del self._errands[id(caller.request)]
        if status == GoalStatus.STATUS_SUCCEEDED:
            caller.succeed()
        elif status == GoalStatus.STATUS_CANCELED and caller.is_cancel_requested:
            caller.canceled()
        else:
            caller.abort()
        return result

    def _on_cancel(self, caller: ServerGoalHandle) -> CancelResponse:
        self._errands[id(caller.request)].cancel()
        return CancelResponse.ACCEPT

    # Towards the executor

    def _send(self, errand: Errand) -> None:
        if not self._executor_side.server_is_ready():
            self._later((ASK_AGAIN_S, ASK_AGAIN_S), partial(self._send, errand))
            return
        taken = self._executor_side.send_goal_async(errand.goal, feedback_callback=partial(self._on_feedback, errand))
        taken.add_done_callback(partial(self._on_taken, errand))

    def _on_taken(self, errand: Errand, future: Future) -> None:
        handle = future.result()
        errand.taken(handle)
        handle.get_result_async().add_done_callback(partial(self._on_end, errand))

    def _on_feedback(self, errand: Errand, message: Any) -> None:
        feedback = message.feedback
        errand.progress(feedback)
        if feedback.progress >= errand.saboteur.claims_at:
            errand.tell(GoalStatus.STATUS_SUCCEEDED, _invented_success())

    def _on_end(self, errand: Errand, future: Future) -> None:
        answer = future.result()
        self._later(errand.saboteur.reply, partial(errand.tell, answer.status, answer.result))

    def _later(self, span: Span, act: Callable[[], None]) -> None:
        """Do something after a delay drawn from a span; never for a message that is lost."""
        delay_s = self._chance.delay_s(span)
        if delay_s <= 0.0:
            act()
        elif math.isfinite(delay_s):
            timer = self.create_timer(delay_s, lambda: self._ring(timer, act), clock=self._steady)

    def _ring(self, timer: Any, act: Callable[[], None]) -> None:
        self.destroy_timer(timer)
        act()


def _unknown(name: str) -> str:
    return f'saboteur = {name!r}: unknown; valid names: {", ".join(NAMES)}'


def _invented_success() -> ExecuteSkill.Result:
    return ExecuteSkill.Result(
        outcome=ExecuteSkill.Result.SUCCEEDED,
        effect=ExecuteSkill.Result.EFFECT_DONE,
        message='done',
        result_json='{}',
        evidence_json='{}',
        attempts=1,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the relay node; return the process's exit code."""
    return run_node(RelayNode, argv)


if __name__ == '__main__':
    sys.exit(main())
