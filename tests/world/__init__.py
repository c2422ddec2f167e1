"""The world's Python: source that nobody wrote for nsroute."""
