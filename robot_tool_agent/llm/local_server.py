"""
Serves one model file on loopback until it is told to end; runs in a process of its own.

    python -m robot_tool_agent.llm.local_server MODEL_FILE THREADS CONTEXT_TOKENS

The key that requests must bring comes in the environment variable RTA_LOCAL_KEY. Once the model answers, one line with
READY and its address goes to standard output.
"""

from __future__ import annotations

import os
import signal
import sys

KEY_VARIABLE = 'RTA_LOCAL_KEY'
READY = 'LOCAL MODEL READY'
# The nodes of the robot come first: a model that thinks must not make the safety node late.
NICENESS = 10
ERRORS_ONLY = 1


def main() -> int:
    """Serve until SIGINT or SIGTERM and return 0."""
    import xllamacpp

    model_file, threads, context_tokens = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    signals = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    os.nice(NICENESS)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = model_file
    parameters.n_ctx = context_tokens
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.hostnames = ['127.0.0.1']
    parameters.port = 0
    parameters.api_keys = [os.environ[KEY_VARIABLE]]
    parameters.verbosity = ERRORS_ONLY
    parameters.ui = False
    server = xllamacpp.Server(parameters)
    print(READY, server.listening_address, flush=True)
    signal.sigwait(signals)
    os._exit(0)  # the server's own threads have nothing to save and take their time


if __name__ == '__main__':
    sys.exit(main())
