"""Quality of service of every topic in the suite, in one place."""

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

# Sensors publish best effort or reliable; a best-effort subscription matches both.
SENSOR = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT, durability=DurabilityPolicy.VOLATILE)
# Commands and heartbeats must arrive, and old ones must not pile up.
COMMAND = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.VOLATILE)
# Messages to people: several may come at once, and a late joiner must learn of the newest.
ALL_LATCHED = QoSProfile(depth=32, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
# State that a late joiner must learn at once.
LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
