"""HTTP: requests, the envelope and codes of the merchant API, the pages of payers and traders."""
