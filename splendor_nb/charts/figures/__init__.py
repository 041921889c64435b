"""Charts: a tidy table in, a plotly figure out, never shown by itself."""
