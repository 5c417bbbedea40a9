"""What a million orders cost on AWS, counted from what the project's own handlers send."""
