"""Programs nobody chose, migrated and run before and after."""
