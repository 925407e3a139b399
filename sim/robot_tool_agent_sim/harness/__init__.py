"""Starts a whole system and watches it from outside, for demonstrations, tests and measurements."""
