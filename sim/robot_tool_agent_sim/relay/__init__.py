"""Stands between callers and the executor and loses, delays, doubles or invents messages, as bad networks do."""
