"""Makes a model in Gazebo look like a robot of this suite: contacts, objects, localization, a command timeout."""
