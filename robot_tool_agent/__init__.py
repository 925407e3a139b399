"""Robot skills for a language model, each call verified by sensors and gated by a safety node."""
