"""What several functions are made of: use cases joined to their adapters, each written once.

A function's module joins the rest. No module here loads more than its functions need.
"""
