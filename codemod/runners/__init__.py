"""Programs that run somebody's codemod in a process of its own."""
