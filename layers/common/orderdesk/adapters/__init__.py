"""The outside world behind the ports: DynamoDB, KMS, S3, SQS, HTTP, identity providers."""
