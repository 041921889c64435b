"""The rules of the game, once, and all that is a value: positions, actions, saved games."""
