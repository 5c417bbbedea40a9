"""The merchant API: reading signed requests, rendering answers in the envelope."""
