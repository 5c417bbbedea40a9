"""Identity providers: the sandbox, Tencent Cloud, and the one that a deployment configures."""
