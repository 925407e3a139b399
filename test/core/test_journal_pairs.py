"""Every pair of an earlier call, in each of its states, and a new one: what the journal answers."""

from execution_bench import memory_journal
from journal_rig import call, DENIED, DONE, LOCKED, UNKNOWN
import pytest
from robot_tool_agent.core.journal import Admitted, NotAdmitted, Replay
from robot_tool_agent.core.outcomes import Effect

EARLIER = ('admitted', 'refused', 'denied', 'started', 'done', 'unknown', 'resolved')
ANSWERS = {
    # the same id with the same arguments; it is not live in this process
    'same': ('admitted', 'admitted', 'replay', 'UNRESOLVED_CALL', 'replay', 'replay', 'replay'),
    'same, other arguments': ('IDEMPOTENCY_MISMATCH',) * 7,
    'other id, same resource': (
        'admitted',
        'admitted',
        'admitted',
        'UNRESOLVED_CALL',
        'admitted',
        'UNRESOLVED_CALL',
        'admitted',
    ),
    'other id, other resource': ('admitted',) * 7,
    'other id, idempotent': ('admitted',) * 7,
}
NEW = {
    'same': call('earlier'),
    'same, other arguments': call('earlier', fingerprint='other'),
    'other id, same resource': call('later'),
    'other id, other resource': call('later', resources=frozenset({'gripper'})),
    'other id, idempotent': call('later', idempotent=True),
}
PAIRS = [
    (kind, state, answer) for kind, answers in ANSWERS.items() for state, answer in zip(EARLIER, answers, strict=True)
]


def earlier_call(journal, state):
    journal.admit(call('earlier'), 1.0)
    if state in ('refused', 'denied'):
        journal.refuse('earlier', DENIED if state == 'denied' else LOCKED, 2.0)
    if state in ('started', 'done', 'unknown', 'resolved'):
        journal.start('earlier', '{}', 2.0)
    if state in ('done', 'unknown', 'resolved'):
        journal.end('earlier', DONE if state == 'done' else UNKNOWN, 3.0)
    if state == 'resolved':
        journal.resolve('earlier', Effect.PARTIAL, 'operator ann', '{}')


@pytest.mark.parametrize(('kind', 'state', 'answer'), PAIRS)
def test_every_pair_of_an_earlier_call_and_a_new_one(kind, state, answer):
    journal = memory_journal()
    earlier_call(journal, state)
    decision = journal.admit(NEW[kind], 9.0)
    names = {Admitted: 'admitted', Replay: 'replay'}
    assert (decision.error.value if isinstance(decision, NotAdmitted) else names[type(decision)]) == answer
