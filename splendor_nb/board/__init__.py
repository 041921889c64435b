"""The board in a notebook: a game in progress, the page, the controls around it."""
