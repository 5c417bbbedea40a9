"""The environment, read once and validated: one model for each function, with what it needs.

There are several modules, because building each model takes time in a cold start.
"""
