"""
Starts Gazebo (gz sim Harmonic), the rover in the house, bridge, adapter and the whole system.

`ros2 launch robot_tool_agent gazebo.launch.py`, without a window: `headless:=true`. Gazebo takes the place of the
simulated robot; the rest is `agent.launch.py`. Every node runs on simulated time.
"""

from pathlib import Path

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription, OpaqueFunction, Shutdown
from launch.conditions import evaluate_condition_expression
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch.utilities import normalize_to_list_of_substitutions
from launch_ros.actions import Node, SetParameter
from launch_ros.substitutions import FindPackageShare
from robot_tool_agent.config_files import load_model
from robot_tool_agent.share_files import find_config
from robot_tool_agent_sim.description import WorldDescription

SHARE = Path(__file__).resolve().parents[1]
AGENT = SHARE / 'launch' / 'agent.launch.py'
FILES = SHARE / 'config' / 'gazebo'
WORLD, MODEL = 'house', 'rover'
ARGUMENTS = {
    'robot': ('gazebo_house', 'robot YAML: a path or a name in config/robots'),
    'params_file': ('', 'ROS parameters that override config/*.yaml'),
    'namespace': ('', 'namespace of every node'),
    'llm': ('', 'model provider of the planner, e.g. rules'),
}
OWN_ARGUMENTS = {'headless': ('false', 'run Gazebo without a window')}


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, Gazebo, and on simulated time everything else."""
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=text)
        for name, (default, text) in (ARGUMENTS | OWN_ARGUMENTS).items()
    ]
    handed_on = {name: LaunchConfiguration(name) for name in ARGUMENTS}
    agent = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(AGENT)), launch_arguments={**handed_on, 'sim': 'false'}.items()
    )
    on_simulated_time = [SetParameter('use_sim_time', True), OpaqueFunction(function=_robot), agent]
    return LaunchDescription([*declared, OpaqueFunction(function=_gazebo), GroupAction(on_simulated_time)])


def _gazebo(context: LaunchContext) -> list:
    """Return Gazebo, running, with the world; its end ends the launch."""
    headless = normalize_to_list_of_substitutions(LaunchConfiguration('headless'))
    mode = '-s ' if evaluate_condition_expression(context, headless) else ''
    source = PathJoinSubstitution([FindPackageShare('ros_gz_sim'), 'launch', 'gz_sim.launch.py'])
    arguments = {'gz_args': f'-r {mode}{FILES / f"{WORLD}.sdf"}', 'on_exit_shutdown': 'true'}
    return [IncludeLaunchDescription(PythonLaunchDescriptionSource(source), launch_arguments=arguments.items())]


def _robot(context: LaunchContext) -> list:
    """Return the rover, the bridge and the adapter; without one of the latter there is no robot, so the launch ends."""
    robot_file = find_config(LaunchConfiguration('robot').perform(context), 'robots')
    world_file = find_config(WORLD, 'worlds')
    spawn = load_model(world_file, WorldDescription).spawn
    namespace = f'/{LaunchConfiguration("namespace").perform(context).strip("/")}'
    place = {'-x': spawn.x_m, '-y': spawn.y_m, '-z': 0.01, '-Y': spawn.yaw_rad}
    named = ['-world', WORLD, '-file', str(FILES / f'{MODEL}.sdf'), '-name', MODEL]
    gone = Shutdown(reason='the bridge to Gazebo or its adapter ended')
    return [
        Node(
            package='ros_gz_sim',
            executable='create',
            arguments=[*named, *(str(part) for item in place.items() for part in item)],
            output='screen',
        ),
        Node(
            package='ros_gz_bridge',
            executable='parameter_bridge',
            name='gazebo_bridge',
            namespace=namespace,
            parameters=[{'config_file': str(FILES / 'bridge.yaml')}],
            output='screen',
            on_exit=[gone],
        ),
        Node(
            package='robot_tool_agent',
            executable='gazebo_adapter',
            namespace=namespace,
            parameters=[{'robot_file': str(robot_file), 'world_file': str(world_file), 'model': MODEL}],
            output='screen',
            on_exit=[gone],
        ),
    ]
