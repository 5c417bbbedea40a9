"""Use cases of Web Push: subscribe, unsubscribe, relay, send."""
