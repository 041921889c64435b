"""The checks of the exercises, a module for each lesson: they say what is wrong with an answer."""
