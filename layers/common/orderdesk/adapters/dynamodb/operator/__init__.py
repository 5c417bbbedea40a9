"""What operators read and write; each change has its audit entry."""
