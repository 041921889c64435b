"""Statistics of cards and nobles, and exact small games."""
