"""
Starts turtlesim, its adapter and the whole system: `ros2 launch robot_tool_agent turtlesim.launch.py`.

turtlesim takes the place of the simulated robot; the rest is `agent.launch.py`.
"""

from pathlib import Path

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction, Shutdown
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from robot_tool_agent.share_files import find_config

AGENT = Path(__file__).resolve().parent / 'agent.launch.py'
ARGUMENTS = {
    'robot': ('turtlesim', 'robot YAML: a path or a name in config/robots'),
    'params_file': ('', 'ROS parameters that override config/*.yaml'),
    'namespace': ('', 'namespace of every node'),
    'llm': ('', 'model provider of the planner, e.g. rules'),
}


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, the system and the turtle."""
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=text)
        for name, (default, text) in ARGUMENTS.items()
    ]
    handed_on = {name: LaunchConfiguration(name) for name in ARGUMENTS}
    agent = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(AGENT)), launch_arguments={**handed_on, 'sim': 'false'}.items()
    )
    return LaunchDescription([*declared, OpaqueFunction(function=_turtle), agent])


def _turtle(context: LaunchContext) -> list:
    """Return turtlesim and the adapter; without one of them there is no robot, so the launch ends."""
    robot_file = find_config(LaunchConfiguration('robot').perform(context), 'robots')
    namespace = f'/{LaunchConfiguration("namespace").perform(context).strip("/")}'
    gone = Shutdown(reason='turtlesim or its adapter ended')
    return [
        Node(package='turtlesim', executable='turtlesim_node', namespace=namespace, output='screen', on_exit=[gone]),
        Node(
            package='robot_tool_agent',
            executable='turtle_adapter',
            namespace=namespace,
            parameters=[{'robot_file': str(robot_file)}],
            output='screen',
            on_exit=[gone],
        ),
    ]
