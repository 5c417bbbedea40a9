"""What merchants and payers see: requests, the envelope, codes, messages, pages."""
