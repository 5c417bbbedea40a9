"""What operators do through the command line: one use case a module."""
