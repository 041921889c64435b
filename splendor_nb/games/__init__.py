"""Many games, and tables of them."""
