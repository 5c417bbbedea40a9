"""Use cases of Web Push: switching it on and off, relaying, sending."""
