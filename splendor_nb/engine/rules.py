"""The rules, once.

Plain functions over a position `s` and the tables `t` of the game: numbers and sequences of fixed
size, indexing and loops. The same functions run as they stand and compiled, so there are no
dictionaries, no appending and no exceptions here, and no annotations that only Python would read.
Why an action is not allowed comes out as a small number, which `notation` turns into a sentence.
The paragraph of the rule book stands beside the code that it asks for: [R1] to [R18].

An action is a number, in the order in which legal actions are listed:

===========  ====================================================================
``0–24``     take three, two or one different gems, by letters
``25–29``    take two gems of one color
``30–41``    reserve the card in a slot of the market, level 1 first
``42–44``    reserve the top card of a deck unseen
``45–56``    buy the card in a slot of the market
``57–59``    buy a card of one's own reserve
``60–65``    return a token, gold last
``66–96``    be visited by a noble, by row of the table
``97–101``   pay one gem of a color in gold
``102``      settle the payment
``103``      pass
===========  ====================================================================
"""

from __future__ import annotations

from splendor_nb.engine.rng import below, shuffle

TAKE, TAKE_TWO, RESERVE, RESERVE_UNSEEN = 0, 25, 30, 42
BUY, BUY_RESERVED, RETURN, NOBLE = 45, 57, 60, 66
PAY_GOLD, SETTLE, PASS = 97, 102, 103
ACTIONS = 104

MAIN, RETURNING, CHOOSING, PAYING, OVER = 0, 1, 2, 3, 4
RUNNING, TARGET, STALEMATE, LIMIT = 0, 1, 2, 3

GOLD = 5
SLOTS = 12
HAND_LIMIT = 10
RESERVE_LIMIT = 3
PAIR_NEEDS = 4

# Why an action is not allowed; the sentences stand in `notation`.
LEGAL = 0
GAME_IS_OVER, MUST_RETURN, MUST_CHOOSE_NOBLE, MUST_PAY = 1, 2, 3, 4
NOTHING_TO_RETURN, NO_NOBLE_TO_CHOOSE, NOTHING_TO_PAY, MUST_NOT_PASS = 5, 6, 7, 8
PILE_IS_EMPTY, TOO_FEW_COLORS, PILE_BELOW_FOUR = 9, 10, 11
RESERVE_IS_FULL, SLOT_IS_EMPTY, DECK_IS_EMPTY, NO_UNSEEN_RESERVE = 12, 13, 14, 15
NOT_AFFORDABLE, NOT_HELD, NOBLE_DOES_NOT_COME = 16, 17, 18
NO_GOLD_TO_SPARE, NO_GEM_TO_REPLACE, LETTERS_ONLY_FORWARD = 19, 20, 21


# -- set-up ----------------------------------------------------------------------------------------


def lay_out(s, t, players, first):
    """Lay everything out before the deal: the tokens in the bank, the cards in their decks [R1-R3].

    The position may be a fresh one or that of a game played before.
    """
    s.players = players
    s.first = first
    s.current = first
    s.phase = MAIN
    s.turn = 0
    s.passes = 0
    s.ended = RUNNING
    s.paying = -1
    s.nobles = 0
    for gem in range(6):
        s.bank[gem] = t.piles[players][gem]
    for color in range(5):
        s.gold_for[color] = 0
    for level in range(3):
        s.deck_size[level] = t.deck_size[level]
        for i in range(t.deck_size[level]):
            s.decks[level][i] = t.decks[level][i]
    for seat in range(players):
        clear_seat(s, t, seat)


def clear_seat(s, t, seat):
    """Take away all that lies before a seat."""
    s.points[seat] = 0
    s.visits[seat] = 0
    for gem in range(6):
        s.tokens[seat][gem] = 0
    for color in range(5):
        s.bonuses[seat][color] = 0
    for place in range(RESERVE_LIMIT):
        s.reserved[seat][place] = t.empty
        s.hidden[seat][place] = 0
    for place in range(s.n_bought[seat]):
        s.bought[seat][place] = t.empty
    s.n_reserved[seat] = 0
    s.n_bought[seat] = 0


def deal(s, t, r):
    """Shuffle each level, lay out the market, and show one noble more than players [R4, R5]."""
    for level in range(3):
        shuffle(r, s.decks[level], s.deck_size[level])
    for slot in range(SLOTS):
        refill(s, t, slot)
    shown = 0
    while shown < min(s.players + 1, t.nobles):
        noble = 1 << below(r, t.nobles)
        if not s.nobles & noble:
            s.nobles |= noble
            shown += 1


def draw_first_player(s, r):
    """Let lots decide which seat begins [R6]."""
    s.first = below(r, s.players)
    s.current = s.first


# -- what is allowed -------------------------------------------------------------------------------


def legal_actions(s, t, out):
    """Write the legal actions to `out`, in their order for ever, and return how many there are."""
    if s.phase == MAIN:
        n = list_buys(s, t, out, list_reserves(s, t, out, list_takes(s, t, out)))
        if n > 0:
            return n
        out[0] = PASS  # [R11]
        return 1
    if s.phase == RETURNING:
        return list_returns(s, out)
    if s.phase == CHOOSING:
        return list_nobles(s, t, out)
    if s.phase == PAYING:
        return list_payments(s, t, out)
    return 0


def list_takes(s, t, out):
    """List three different gems, or what the options allow [R7], and two of one color [R8]."""
    bank = s.bank
    colors = colors_in_bank(s)
    takes = t.takes[colors]
    n = t.n_takes[colors]
    for i in range(n):
        out[i] = takes[i]
    for color in range(5):
        if bank[color] >= PAIR_NEEDS:
            out[n] = TAKE_TWO + color
            n += 1
    return n


def list_reserves(s, t, out, n):
    """List the open cards and the decks, while the reserve has room [R9]."""
    if s.n_reserved[s.current] == RESERVE_LIMIT:
        return n
    empty = t.empty
    action = RESERVE
    for card in s.market:
        if card < empty:
            out[n] = action
            n += 1
        action += 1
    if t.unseen_reserve:
        for level in range(3):
            if s.deck_size[level] > 0:  # [R12]
                out[n] = RESERVE_UNSEEN + level
                n += 1
    return n


def list_buys(s, t, out, n):
    """List the cards of the market and of the own reserve that can be paid [R10]."""
    seat = s.current
    bonuses = s.bonuses[seat]
    tokens = s.tokens[seat]
    white = t.missing[0][bonuses[0] + tokens[0]]
    blue = t.missing[1][bonuses[1] + tokens[1]]
    green = t.missing[2][bonuses[2] + tokens[2]]
    red = t.missing[3][bonuses[3] + tokens[3]]
    black = t.missing[4][bonuses[4] + tokens[4]]
    gold = tokens[GOLD]
    action = BUY
    for card in s.market:
        if white[card] + blue[card] + green[card] + red[card] + black[card] <= gold:
            out[n] = action
            n += 1
        action += 1
    for i in range(s.n_reserved[seat]):
        card = s.reserved[seat][i]
        if white[card] + blue[card] + green[card] + red[card] + black[card] <= gold:
            out[n] = BUY_RESERVED + i
            n += 1
    return n


def list_returns(s, out):
    """List one of each token that the player holds, gold included [R13]."""
    n = 0
    for gem in range(6):
        if s.tokens[s.current][gem] > 0:
            out[n] = RETURN + gem
            n += 1
    return n


def list_nobles(s, t, out):
    """List the nobles between which the player may choose [R14]."""
    coming = nobles_coming(s, t)
    n = 0
    for noble in range(t.nobles):
        if coming >> noble & 1:
            out[n] = NOBLE + noble
            n += 1
    return n


def list_payments(s, t, out):
    """List the gems that gold may stand in for, and settling, which is always possible [R10]."""
    n = 0
    for color in range(5):
        if why_not_pay_gold(s, t, color) == LEGAL:
            out[n] = PAY_GOLD + color
            n += 1
    out[n] = SETTLE
    return n + 1


def why_illegal(s, t, action):
    """Return why the action is not allowed now, `LEGAL` if it is."""
    if s.phase == OVER:
        return GAME_IS_OVER
    phase = phase_of(action)
    if phase != s.phase:
        if s.phase == MAIN:
            return NOTHING_TO_RETURN + phase - RETURNING
        return MUST_RETURN + s.phase - RETURNING
    if phase == RETURNING:
        return LEGAL if s.tokens[s.current][action - RETURN] > 0 else NOT_HELD
    if phase == CHOOSING:
        return LEGAL if nobles_coming(s, t) >> (action - NOBLE) & 1 else NOBLE_DOES_NOT_COME
    if phase == PAYING:
        return LEGAL if action == SETTLE else why_not_pay_gold(s, t, action - PAY_GOLD)
    if action == PASS:
        return why_not_pass(s, t)
    return why_not_main(s, t, action)


def phase_of(action):
    """Return the phase in which an action has its place."""
    if action < RETURN or action == PASS:
        return MAIN
    if action < NOBLE:
        return RETURNING
    return CHOOSING if action < PAY_GOLD else PAYING


def why_not_main(s, t, action):
    """Return why one of the four actions of a turn is not allowed now [R7] to [R10]."""
    if action < TAKE_TWO:
        return why_not_take(t.take_fewer, colors_in_bank(s), t.take_colors[action])
    if action < RESERVE:
        return LEGAL if s.bank[action - TAKE_TWO] >= PAIR_NEEDS else PILE_BELOW_FOUR
    if action < BUY:
        return why_not_reserve(s, t, action)
    card = card_of(s, action)
    if card >= t.empty:
        return SLOT_IS_EMPTY
    missing = gold_needed(s, t, s.current, card)
    return LEGAL if missing <= s.tokens[s.current][GOLD] else NOT_AFFORDABLE


def why_not_take(take_fewer, colors, wanted):
    """Return why different gems, bits of `wanted`, cannot be taken from these colors [R7]."""
    if wanted & ~colors:
        return PILE_IS_EMPTY
    if not take_fewer and count_bits(wanted) < min(3, count_bits(colors)):
        return TOO_FEW_COLORS
    return LEGAL


def why_not_reserve(s, t, action):
    """Return why an open card or the top of a deck cannot be reserved [R9, R12]."""
    if action >= RESERVE_UNSEEN and not t.unseen_reserve:
        return NO_UNSEEN_RESERVE
    if s.n_reserved[s.current] == RESERVE_LIMIT:
        return RESERVE_IS_FULL
    if action < RESERVE_UNSEEN:
        return LEGAL if s.market[action - RESERVE] < t.empty else SLOT_IS_EMPTY
    return LEGAL if s.deck_size[action - RESERVE_UNSEEN] > 0 else DECK_IS_EMPTY


def why_not_pay_gold(s, t, color):
    """Return why no (further) gem of the color can be paid in gold."""
    card = card_of(s, s.paying)
    for later in range(color + 1, 5):
        if s.gold_for[later] > 0:
            return LETTERS_ONLY_FORWARD
    chosen = 0
    for other in range(5):
        chosen += s.gold_for[other]
    if s.gold_for[color] >= gems_due(s, t, card, color):
        return NO_GEM_TO_REPLACE
    return LEGAL if chosen < spare_gold(s, t, card) else NO_GOLD_TO_SPARE


def why_not_pass(s, t):
    """Return why the player may not pass: something else is possible [R11]."""
    for action in range(RETURN):
        if why_not_main(s, t, action) == LEGAL:
            return MUST_NOT_PASS
    return LEGAL


# -- prices ----------------------------------------------------------------------------------------


def gold_needed(s, t, seat, card):
    """Return how many gems of the price the seat lacks: gold has to stand in for them [R10]."""
    bonuses = s.bonuses[seat]
    tokens = s.tokens[seat]
    missing = 0
    for color in range(5):
        missing += t.missing[color][bonuses[color] + tokens[color]][card]
    return missing


def gems_due(s, t, card, color):
    """Return how many gems of the color the current player would pay: due and held [R10]."""
    price = t.missing[color][s.bonuses[s.current][color]][card]
    return min(price, s.tokens[s.current][color])


def spare_gold(s, t, card):
    """Return the gold that the current player would have left after paying the card."""
    return s.tokens[s.current][GOLD] - gold_needed(s, t, s.current, card)


def card_of(s, action):
    """Return the card that a buying action names by its place."""
    if action < BUY_RESERVED:
        return s.market[action - BUY]
    return s.reserved[s.current][action - BUY_RESERVED]


# -- what happens ----------------------------------------------------------------------------------


def apply_action(s, t, action):
    """Do a legal action, with all that follows until the next decision."""
    if action < RESERVE:
        take(s, t, action)
    elif action < BUY:
        reserve(s, t, action)
    elif action < RETURN:
        buy(s, t, action)
    elif action < NOBLE:
        return_token(s, t, action - RETURN)
    elif action < PAY_GOLD:
        welcome(s, t, action - NOBLE)
        end_turn(s, t)
    elif action < SETTLE:
        s.gold_for[action - PAY_GOLD] += 1
    elif action == SETTLE:
        settle(s, t, s.paying)
    else:
        s.passes += 1  # [R11]
        end_action(s, t)


def take(s, t, action):
    """Take gem tokens from the bank [R7, R8]."""
    bank = s.bank
    tokens = s.tokens[s.current]
    gems = t.take_gems[action]
    for i in range(t.take_size[action]):
        bank[gems[i]] -= 1
        tokens[gems[i]] += 1
    s.passes = 0
    end_action(s, t)


def reserve(s, t, action):
    """Reserve an open card or the top of a deck, and take a gold if there is one [R9]."""
    seat = s.current
    place = s.n_reserved[seat]
    if action < RESERVE_UNSEEN:
        s.reserved[seat][place] = s.market[action - RESERVE]
        s.hidden[seat][place] = 0
        refill(s, t, action - RESERVE)
    else:
        s.reserved[seat][place] = draw(s, t, action - RESERVE_UNSEEN)
        s.hidden[seat][place] = 1
    s.n_reserved[seat] = place + 1
    if s.bank[GOLD] > 0:
        s.bank[GOLD] -= 1
        s.tokens[seat][GOLD] += 1
    s.passes = 0
    end_action(s, t)


def buy(s, t, action):
    """Buy a card, or first let the player choose how to pay where the options offer that [R10]."""
    s.passes = 0
    if t.choose_payment and may_choose_payment(s, t, card_of(s, action)):
        s.phase = PAYING
        s.paying = action
    else:
        settle(s, t, action)


def may_choose_payment(s, t, card):
    """Tell whether gold could stand in for at least one gem that would be paid."""
    due = 0
    for color in range(5):
        due += gems_due(s, t, card, color)
    return due > 0 and spare_gold(s, t, card) > 0


def settle(s, t, action):
    """Pay the card to the bank, gold for what is missing or was chosen, and own it [R10]."""
    seat = s.current
    card = card_of(s, action)
    pay(s, t, seat, card)
    if s.paying >= 0:
        forget_payment(s)
    own(s, t, seat, card)
    if action < BUY_RESERVED:
        refill(s, t, action - BUY)
    else:
        close_gap(s, t, seat, action - BUY_RESERVED)
    receive_noble(s, t)


def pay(s, t, seat, card):
    """Move the price to the bank: gems that are held and not replaced, gold for the rest [R10]."""
    bank = s.bank
    tokens = s.tokens[seat]
    bonuses = s.bonuses[seat]
    cost = t.cost[card]
    gold = 0
    for color in range(5):
        price = cost[color] - bonuses[color]
        if price > 0:
            gems = min(price, tokens[color]) - s.gold_for[color]
            tokens[color] -= gems
            bank[color] += gems
            gold += price - gems
    tokens[GOLD] -= gold
    bank[GOLD] += gold


def own(s, t, seat, card):
    """Lay a card before a seat: its points, and for good a bonus of its color [R10]."""
    s.bought[seat][s.n_bought[seat]] = card
    s.n_bought[seat] += 1
    s.bonuses[seat][t.bonus[card]] += 1
    s.points[seat] += t.points[card]


def forget_payment(s):
    """Leave the phase in which a payment is chosen."""
    s.paying = -1
    for color in range(5):
        s.gold_for[color] = 0


def close_gap(s, t, seat, place):
    """Take a card out of a reserve; the others keep their order of time."""
    last = s.n_reserved[seat] - 1
    for i in range(place, last):
        s.reserved[seat][i] = s.reserved[seat][i + 1]
        s.hidden[seat][i] = s.hidden[seat][i + 1]
    s.reserved[seat][last] = t.empty
    s.hidden[seat][last] = 0
    s.n_reserved[seat] = last


def refill(s, t, slot):
    """Fill a slot of the market at once; an empty deck leaves it empty [R12]."""
    level = slot // 4
    s.market[slot] = draw(s, t, level) if s.deck_size[level] > 0 else t.empty


def draw(s, t, level):
    """Take the top card off a deck; the next card lies at the end of the sequence."""
    top = s.deck_size[level] - 1
    card = s.decks[level][top]
    s.decks[level][top] = t.empty
    s.deck_size[level] = top
    return card


def return_token(s, t, gem):
    """Return one token to the bank [R13]."""
    s.tokens[s.current][gem] -= 1
    s.bank[gem] += 1
    end_action(s, t)


def end_action(s, t):
    """Go through the end of a turn in its order: return, noble, next seat [R13]."""
    tokens = s.tokens[s.current]
    if tokens[0] + tokens[1] + tokens[2] + tokens[3] + tokens[4] + tokens[GOLD] > HAND_LIMIT:
        s.phase = RETURNING
    else:
        receive_noble(s, t)


def receive_noble(s, t):
    """Let the noble who comes visit, or the player choose between several [R14]."""
    coming = nobles_coming(s, t)
    if coming == 0:
        end_turn(s, t)
    elif coming & (coming - 1):
        s.phase = CHOOSING
    else:
        welcome(s, t, only_bit(coming))
        end_turn(s, t)


def nobles_coming(s, t):
    """Return the nobles, as bits, whose numbers the current player's bonuses reach [R14]."""
    bonuses = s.bonuses[s.current]
    content = t.content
    return (
        s.nobles
        & content[0][bonuses[0]]
        & content[1][bonuses[1]]
        & content[2][bonuses[2]]
        & content[3][bonuses[3]]
        & content[4][bonuses[4]]
    )


def welcome(s, t, noble):
    """Let a noble visit the current player [R14]."""
    s.nobles ^= 1 << noble
    s.visits[s.current] |= 1 << noble
    s.points[s.current] += t.noble_points[noble]
    s.passes = 0


def end_turn(s, t):
    """Count the turn, and hand over to the next seat or end the game [R6, R15, R17]."""
    s.turn += 1
    ended = why_over(s, t)
    if ended == RUNNING:
        s.phase = MAIN
        s.current = (s.current + 1) % s.players
    else:
        s.phase = OVER
        s.ended = ended
        s.current = -1


# -- the end ---------------------------------------------------------------------------------------


def why_over(s, t):
    """Return why the game ends after the turn just finished, `RUNNING` if it does not."""
    round_is_over = s.turn % s.players == 0
    if round_is_over and best_points(s) >= t.target:  # [R15]
        return TARGET
    if s.passes == s.players:  # [R17]
        return STALEMATE
    if round_is_over and s.turn >= t.turn_limit:  # [R17]
        return LIMIT
    return RUNNING


def best_points(s):
    """Return the most points that a seat has."""
    best = 0
    for seat in range(s.players):
        best = max(best, s.points[seat])
    return best


def rank(s, t, seat):
    """Return a number that is higher the better a seat stands: points, then fewest cards [R16]."""
    cards = s.n_bought[seat] if t.tie_break else 0
    return (s.points[seat] << 20) - cards


# -- counting --------------------------------------------------------------------------------------


def colors_in_bank(s):
    """Return the colors, as bits, of which the bank has a gem."""
    bank = s.bank
    colors = 0
    if bank[0] > 0:
        colors = 1
    if bank[1] > 0:
        colors |= 2
    if bank[2] > 0:
        colors |= 4
    if bank[3] > 0:
        colors |= 8
    if bank[4] > 0:
        colors |= 16
    return colors


def only_bit(bits):
    """Return the place of the only bit that is set."""
    place = 0
    while bits > 1:
        bits >>= 1
        place += 1
    return place


def count_bits(colors):
    """Return how many of five colors are in a set of bits."""
    n = 0
    for color in range(5):
        n += colors >> color & 1
    return n
