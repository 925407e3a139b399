"""Execution of calls: admitted once, gated, verified, ended."""
