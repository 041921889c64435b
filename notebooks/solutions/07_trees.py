"""Right answers to the exercises of lesson 07."""

from splendor_nb.analysis.tiny_games import tiny_game


def my_minimax(state):
    if state.is_terminal():
        return state.returns()[0]
    values = [my_minimax(state.apply(action)) for action in state.legal_actions()]
    return max(values) if state.current_player == 0 else min(values)


def my_expectation(outcomes):
    return sum(chance * worth for chance, worth in outcomes)


my_sets = (1, 2)

my_game = tiny_game("1W1:W 1U1:UG", "WWU")
