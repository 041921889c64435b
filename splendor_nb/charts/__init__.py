"""One palette, pictures of positions, and charts of tables."""
