"""The identity page of a draft."""
