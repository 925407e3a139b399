"""The rows of the set-up `arm` under launch_testing."""

from __future__ import annotations

from launch import LaunchDescription
import launch_testing
import pytest
from scenario_launch import Theatre
from scenario_setups import ARM

THEATRE = Theatre(ARM)


@pytest.mark.launch_test
def generate_test_description() -> LaunchDescription:
    """Start the system."""
    return THEATRE.description()


TestScenarios = THEATRE.cases()
TestAfterShutdown = launch_testing.post_shutdown_test()(THEATRE.after())
