"""From decisions to edited files: what is done to each file, and doing it."""
