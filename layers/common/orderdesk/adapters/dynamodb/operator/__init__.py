"""What operators read and write, each change with its audit entry."""
