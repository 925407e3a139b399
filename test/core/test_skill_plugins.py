"""Skills of other packages are found by entry point, and one that cannot be loaded is named."""

from importlib.metadata import EntryPoint

from execution_bench import Nudge
import pytest
from robot_tool_agent import skill_plugins
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent.skill_plugins import GROUP, plugin_skills, PluginError
from sim_house import robot_description


@pytest.fixture
def offer(monkeypatch):
    """Return a function that sets what installed packages offer."""

    def offers(**points):
        found = [EntryPoint(name, value, GROUP) for name, value in points.items()]
        monkeypatch.setattr(skill_plugins, 'entry_points', lambda group: found if group == GROUP else [])

    return offers


def test_a_skill_of_another_package_is_served_once_the_robot_enables_it(offer):
    offer(nudge='execution_bench:Nudge')
    (skill,) = plugin_skills()
    assert skill is Nudge
    robot = robot_description()
    enabled = robot.model_copy(update={'skills': {**robot.skills, 'nudge': robot.skills['look']}})
    assert 'nudge' in SkillRegistry(enabled, plugin_skills()).names
    assert 'nudge' not in SkillRegistry(robot, plugin_skills()).names


def test_everything_that_cannot_be_loaded_is_named_at_once(offer):
    offer(lost='no_such_module:Skill', missing='execution_bench:Nothing', foreign='execution_bench:TICK_S')
    with pytest.raises(PluginError) as caught:
        plugin_skills()
    lines = str(caught.value).splitlines()
    assert len(lines) == 3
    assert 'lost = no_such_module:Skill: ModuleNotFoundError' in lines[0]
    assert 'missing = execution_bench:Nothing: AttributeError' in lines[1]
    assert 'foreign = execution_bench:TICK_S: is no subclass of Skill' in lines[2]


def test_nothing_installed_offers_nothing(offer):
    offer()
    assert plugin_skills() == []
