"""Identity providers: the sandbox, Tencent Cloud, and the choice between them."""
