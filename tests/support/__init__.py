"""What the tests share: events, a merchant's client, a world in this process."""
