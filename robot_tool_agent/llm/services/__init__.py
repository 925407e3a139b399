"""Model services behind pydantic-ai. Nothing in here is imported before one of them is asked for by name."""
