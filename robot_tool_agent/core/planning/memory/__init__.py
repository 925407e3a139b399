"""Durable memory of tasks: what happened is stored before it has consequences, and a task is rebuilt from it."""
