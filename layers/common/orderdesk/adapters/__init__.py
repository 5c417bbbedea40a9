"""The outside: DynamoDB, KMS, identity providers. Each adapter fills a port of the services."""
