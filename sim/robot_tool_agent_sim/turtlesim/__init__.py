"""Makes a turtle of turtlesim look like a robot of this suite: odometry, localization and a range sensor."""
