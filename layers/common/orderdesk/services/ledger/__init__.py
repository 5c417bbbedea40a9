"""Use cases of the books: seal them, compare balances with them, read them."""
