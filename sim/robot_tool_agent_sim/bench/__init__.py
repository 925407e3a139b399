"""Measures the suite from outside: how fast it stops, how fast it answers, what it costs."""
