"""The cost of a million orders on AWS, from the requests of the handlers."""
