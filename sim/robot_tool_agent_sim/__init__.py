"""A simulated robot in a 2D house that behaves, and misbehaves on demand."""
