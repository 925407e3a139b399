"""Runs many episodes, in one process or in all cores; the result does not depend on how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed, ProcessPoolExecutor
from dataclasses import dataclass
import multiprocessing
import signal
import time

from robot_tool_agent_sim.evidence.baseline_episode import BaselineEpisode
from robot_tool_agent_sim.evidence.episode import Episode, EpisodeEnd
from robot_tool_agent_sim.evidence.plan import draw_plan

CHUNK = 10


@dataclass(frozen=True, slots=True)
class Pair:
    """One episode with both systems, and the processor time that each took, s."""

    ours: EpisodeEnd
    baseline: EpisodeEnd
    ours_s: float
    baseline_s: float


def run_pair(seed: int) -> Pair:
    """Run one seed with both systems."""
    plan = draw_plan(seed)
    began_s = time.process_time()
    ours = Episode(plan).run()
    middle_s = time.process_time()
    baseline = BaselineEpisode(plan).run()
    return Pair(ours, baseline, middle_s - began_s, time.process_time() - middle_s)


def run_chunk(seeds: Sequence[int]) -> list[Pair]:
    """Run several seeds, one after another."""
    return [run_pair(seed) for seed in seeds]


def _leave_signals_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_all(first: int, count: int, processes: int) -> Iterator[list[Pair]]:
    """Yield the pairs of all seeds, in chunks, as they are done."""
    chunks = [range(start, min(start + CHUNK, first + count)) for start in range(first, first + count, CHUNK)]
    if processes <= 1:
        yield from (run_chunk(chunk) for chunk in chunks)
        return
    context = multiprocessing.get_context('spawn')
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_leave_signals_to_parent) as pool:
        waiting = [pool.submit(run_chunk, chunk) for chunk in chunks]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
