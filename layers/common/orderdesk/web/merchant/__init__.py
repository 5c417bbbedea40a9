"""The merchant API: reads signed requests, and renders results in the envelope."""
