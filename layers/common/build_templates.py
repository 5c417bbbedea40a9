"""Compiles the pages' templates to Python modules, by Jinja2's own means.

The layer's build runs it in an interpreter of its own, which sees the layer alone: `python -I -S -B
build_templates.py LAYER`.
"""

import sys
from importlib import import_module

if __name__ == "__main__":
    sys.path[:0] = [sys.argv[1]]
    import_module("orderdesk.web.pages.templates").compile_templates()
