"""What traders do: their sessions, their duty, their desk."""
