"""The environment, read once and validated: one model a function, naming what it needs.

Several modules, as each model costs a cold start its making.
"""
