"""The parts of a measurement: each starts what it needs, measures, ends it, and returns its figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
import signal
import time
from typing import Any

from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent_sim.bench import journal_figures, planner_checks, planner_figures, strikes
from robot_tool_agent_sim.bench.calls import Caller, KINDS, SETTLE_S
from robot_tool_agent_sim.bench.children import Child, END_TIMEOUT_S, namespace, parameters
from robot_tool_agent_sim.bench.course import Course
from robot_tool_agent_sim.bench.descriptions import write_robot
from robot_tool_agent_sim.bench.echo_node import KINDS as ECHOES
from robot_tool_agent_sim.bench.events import Echoes, EventRig
from robot_tool_agent_sim.bench.figures import distribution, MICRO
from robot_tool_agent_sim.bench.goals import EVENT_ECHO
from robot_tool_agent_sim.bench.plan import Plan
from robot_tool_agent_sim.bench.scan_figures import scan_verdicts
from robot_tool_agent_sim.bench.seat import Seat

Told = Callable[[str], None]
Figures = dict[str, Any]
BARE_SETTLE_S = 1.0
# Namespaces: while one robot comes back from a stop the other is measured.
ROBOTS = ('first', 'second')
# More tasks than samples wanted: the feedback of the first ones can be lost.
UNHEARD = 5


def messages(domain_id: int, folder: Path, plan: Plan, live: Told) -> Figures:
    """Measure echoes, faults that arrive as a message, and the load of one safety node."""
    samples: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as stack:
        nodes = {robot: stack.enter_context(_safety(robot, domain_id, folder)) for robot in ROBOTS}
        echo = stack.enter_context(Child('robot_tool_agent_sim.bench.echo_node', domain_id, folder / 'echo.log'))
        seat = stack.enter_context(Seat('bench', domain_id))
        rigs = [EventRig(seat, seat.add_node('robot', robot), samples, seed) for seed, robot in enumerate(ROBOTS)]
        _measure_messages(rigs, Echoes(seat), samples, plan, live)
        _end_spinning(seat, [echo, *list(nodes.values())[1:]])
        rigs[0].wait_cruise()
        cpu = _load(seat, nodes[ROBOTS[0]], domain_id, folder, plan.load_s)
    kinds = {kind: distribution(values) for kind, values in samples.items()}
    echoes = {name: kinds.pop(name) for name in ECHOES}
    return {'echo': echoes, 'fault_to_zero': kinds, 'cpu_percent': cpu}


def _end_spinning(seat: Seat, ending: list[Child]) -> None:
    """End some processes while the stand-in robots of the others go on: a robot that falls silent is stopped."""
    for child in ending:
        child.signal(signal.SIGTERM)
    seat.until(lambda: not any(child.runs() for child in ending), END_TIMEOUT_S, 'the end of the nodes')


def _safety(robot: str, domain_id: int, folder: Path) -> Child:
    robot_file = folder / f'{robot}.yaml'
    write_robot(robot_file, stand_in=True)
    settings = parameters(robot_file=robot_file, start_settle_s=0.1, settle_s=0.1)
    log = folder / f'safety_{robot}.log'
    return Child('robot_tool_agent.nodes.safety_node', domain_id, log, [*namespace(robot), *settings])


def _measure_messages(
    rigs: list[EventRig], echoes: Echoes, samples: dict[str, list[float]], plan: Plan, live: Told
) -> None:
    echoes.wait_connected()
    for rig in rigs:
        rig.come_up()
    while (count := min(len(samples[kind]) for kind in EVENT_ECHO)) < plan.events:
        live(f'{count} of {plan.events}')
        for rig in rigs:
            rig.measure_echoes(echoes)
            rig.measure_command_faults()
        for rig in rigs:
            rig.measure_bumper()


def _load(seat: Seat, safety: Child, domain_id: int, folder: Path, duration_s: float) -> dict[str, float]:
    """Return per cent of a core while a robot drives, of the safety node and of a bare subscriber beside it."""
    bare_module, robot = 'robot_tool_agent_sim.bench.bare_subscriber', ROBOTS[0]
    with Child(bare_module, domain_id, folder / 'bare_subscriber.log', namespace(robot)) as bare:
        seat.until(lambda: seat.node.count_subscribers(f'/{robot}/odom') > 1, 10.0, 'the bare subscriber')
        seat.spin(BARE_SETTLE_S)
        nodes = {'safety': safety, 'bare': bare}
        began_s, used_s = time.monotonic(), {name: child.cpu_s() for name, child in nodes.items()}
        seat.spin(duration_s)
        spent_s = time.monotonic() - began_s
        return {name: round(100.0 * (child.cpu_s() - used_s[name]) / spent_s, 1) for name, child in nodes.items()}


def stops(domain_id: int, folder: Path, plan: Plan, live: Told) -> Figures:
    """Measure on the simulated robot: faults that stay away, all stops by ground truth, cancels."""
    counts = dict.fromkeys(strikes.EVENTS, plan.simulated_events) | dict.fromkeys(strikes.TIMEOUTS, plan.timeouts)
    faults: Figures = {}
    with Course(domain_id, folder) as course:
        for kind, count in counts.items():
            runs = []
            for number in range(count):
                live(f'{kind.name} {number} of {count}')
                runs.append(strikes.measure(course, kind))
            answers = distribution([run.answer_s for run in runs])
            own: Figures = dict(answers) if kind in strikes.TIMEOUTS else {'simulator': answers}
            faults[kind.name] = {**own, **strikes.stop_figures(runs)}
        cancels = []
        for number in range(plan.cancels):
            live(f'cancel {number} of {plan.cancels}')
            cancels.append(strikes.measure_cancel(course))
    acks, stands = zip(*cancels, strict=True)
    return {'fault_to_zero': faults, 'cancel': {'ack_ms': distribution(acks), 'standstill_ms': distribution(stands)}}


def calls(domain_id: int, folder: Path, plan: Plan, live: Told) -> Figures:
    """Measure skill calls, between them the same through MCP, and commits on the same disk."""
    robot_file = folder / 'call_robot.yaml'
    write_robot(robot_file)
    journal = folder / 'calls.sqlite3'
    settings = parameters(robot_file=robot_file, settle_s=SETTLE_S, journal_path=journal)
    samples: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as stack:
        stack.enter_context(Child('robot_tool_agent.nodes.executor_node', domain_id, folder / 'executor.log', settings))
        stack.enter_context(Child('robot_tool_agent_sim.bench.bare_server', domain_id, folder / 'bare_server.log'))
        caller = Caller(domain_id)
        stack.callback(caller.close)
        commits = journal_figures.commits(folder / 'commits.sqlite3')
        stack.callback(commits.close)
        caller.come_up()
        for number in range(plan.calls):
            live(f'{number} of {plan.calls}')
            for name, call in KINDS.items():
                samples[name].append(call(caller))
            samples['commit_ms'].append(next(commits))
        cost = _mcp_cost(caller, _mcp(stack, domain_id, folder), plan.calls)
    return {'skill_call': {name: distribution(values) for name, values in samples.items()}} | cost


def _mcp(stack: ExitStack, domain_id: int, folder: Path) -> Callable[[], float] | None:
    """Return what makes a call through MCP and times it, None on a Python that the package mcp does not support."""
    if find_spec('mcp') is None:
        return None
    from robot_tool_agent_sim.bench.mcp_calls import McpCaller

    caller = McpCaller(domain_id, folder / 'mcp.log')
    stack.callback(caller.close)
    caller.start()
    return caller.read_only_s


def _mcp_cost(caller: Caller, read_through_mcp: Callable[[], float] | None, count: int) -> Figures:
    """Return the time of a call through MCP, and how much more that is than a direct call made just before it."""
    if read_through_mcp is None:
        return {}
    pairs = [(caller.read_only_s(), read_through_mcp()) for _ in range(count)]
    more_s = [through_s - direct_s for direct_s, through_s in pairs]
    return {'planner': {'mcp_call': distribution([pair[1] for pair in pairs]), 'mcp_cost': distribution(more_s)}}


def replies(domain_id: int, folder: Path, plan: Plan, live: Told) -> Figures:
    """Measure from a model's reply to the goal sent. No executor may run on the domain: this process plays it."""
    script, robot = folder / 'script.json', write_robot(folder / 'planner_robot.yaml')
    planner_figures.write_script(script, plan.calls + UNHEARD)
    settings = parameters(provider='scripted', script_file=script)
    samples: list[float] = []
    with ExitStack() as stack:
        module = 'robot_tool_agent.nodes.planner_node'
        stack.enter_context(Child(module, domain_id, folder / 'planner.log', settings))
        instructor = planner_figures.Instructor(domain_id, robot)
        stack.callback(instructor.close)
        for number in range(plan.calls + UNHEARD):
            live(f'tasks: {len(samples)} of {plan.calls}')
            sample = instructor.reply_to_goal_s(number)
            samples += [] if sample is None or len(samples) >= plan.calls else [sample]
    return {'planner': {'reply_to_goal_ms': distribution(samples)}}


def core(robot: RobotDescription, folder: Path, plan: Plan, live: Told) -> Figures:
    """Measure what needs no other process: one scan's verdict, look-ups in a large journal."""
    live('scan verdicts')
    verdicts = distribution(scan_verdicts(robot, plan.scans), MICRO)
    live(f'journal with {plan.many_rows} rows')
    ratio = journal_figures.lookup_ratio(folder, plan.lookups, plan.many_rows)
    live('replies of a model')
    checks = planner_checks.validations(robot, plan.scans)
    planner = {f'validate_{kind}_us': distribution(spent, MICRO) for kind, spent in checks.items()}
    return {'scan_check_us': verdicts, 'journal_lookup_ratio': round(ratio, 3), 'planner': planner}
