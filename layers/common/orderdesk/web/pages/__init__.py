"""The pages of payers and traders (contract section 8)."""
