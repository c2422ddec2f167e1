"""The sample project that nsroute carries, and the demo that migrates it."""
