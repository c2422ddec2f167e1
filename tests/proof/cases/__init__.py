"""Programs that once went wrong, shrunk: one table for each kind of fault."""
