"""The commands and the screen; nothing else in the package prints."""
