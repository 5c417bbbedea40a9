"""HTTP and pages: requests, the envelope, codes, messages, pages of payers and traders."""
