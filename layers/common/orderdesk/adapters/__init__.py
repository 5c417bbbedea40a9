"""Implementations of the ports: DynamoDB, KMS, S3, SQS, HTTP, identity providers."""
