/**
 * The page of the board: it draws the view that Python sends, and sends back what a person wants.
 *
 * No rule of the game stands here. What is possible, why not, prices and labels are parts of the
 * view; fixed words come from the catalogue `texts`. Python owns every trait; the page only sends
 * messages, each with the version of the view that it answers.
 */

const COLORS = ["W", "U", "G", "R", "K"];
const GOLD = "*";
const GEMS = [...COLORS, GOLD];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HELP = ["arrows", "press", "rows", "gems", "gold", "buy", "reserve", "confirm", "cancel"];
const HELP_REPLAY = ["steps", "ends", "play"];
const GROUPS = ["market", "bank"]; // each is one stop for Tab
const TRAITS = ["view", "texts", "dir", "size"];
const LATE_MS = 300; // from here on a person wonders whether the click was heard
const HOVER_MS = 350;
const STEP_MS = 900;
const TEXT = "#text";

let boards = 0; // two boards on one page must not share an id

export default {
  render({ model, el }) {
    const board = new Board(model);
    el.append(board.root);
    board.draw();
    return () => board.close();
  },
};

/** One board on the page: what Python said, and what is picked here but not yet sent. */
class Board {
  constructor(model) {
    this.model = model;
    this.id = `spl-${++boards}`;
    this.viewer = model.get("view").viewer; // whose knowledge was shown last
    this.pick = ""; // letters of the gems picked so far
    this.chosen = ""; // name of the chosen card, "L2" for a deck
    this.notice = ""; // why the last key or touch did nothing
    this.helping = false;
    this.unfolded = new Set(); // seats whose bought cards are listed
    this.peeking = null; // seat whose unseen cards were asked for last
    this.open = false; // and whether they are to be seen
    this.timer = null; // of a replay that plays by itself
    this.goal = null; // step of the replay that was asked for
    this.answered = null; // version of the view that the last message answered
    this.late = false; // and Python has not replied for a while
    this.queued = null; // newest wish that has to wait for that reply
    this.home = ""; // piece of the table that had the focus last
    this.atEnd = true; // of the log, which then follows its newest line
    this.frame = null; // in which the log and the tip find their places
    this.stops = {}; // which piece of each group is reached by Tab
    this.wires = new Map(); // what the elements do, by key: press, hold, change; their thing
    this.shown = rootOf({}); // what is on the page, as it was described
    this.root = make(this.shown);
    [this.page, this.tip] = this.root.children;
    this.listen();
  }

  listen() {
    this.ended = new AbortController();
    const { signal } = this.ended;
    const on = (target, name, act, capture = false) =>
      target.addEventListener(name, act.bind(this), { signal, capture });
    on(this.root, "click", this.onClick);
    on(this.root, "keydown", this.onKey);
    on(this.root, "input", ({ target }) => this.wireOf(target).change?.(target.value));
    on(this.root, "focusin", this.onFocus);
    on(this.root, "focusout", this.onLeave);
    on(this.root, "pointerover", this.onHover);
    on(this.root, "pointerout", this.onLeave);
    on(this.root, "pointerdown", this.onHold);
    on(this.root, "contextmenu", this.onHold); // a finger that stays asks for a menu
    on(this.root, "scroll", this.onScroll, true); // which goes no way up
    on(window, "pointerup", () => this.switched || this.hide());
    on(window, "pointercancel", () => this.switched || this.hide());
    on(window, "blur", this.hide);
    this.changed = () => this.adopt();
    for (const trait of TRAITS) this.model.on(`change:${trait}`, this.changed);
    this.sized = new ResizeObserver(() => this.settleSoon()); // at first the page has no size
    this.sized.observe(this.root);
  }

  close() {
    for (const trait of TRAITS) this.model.off(`change:${trait}`, this.changed);
    this.ended.abort();
    this.sized.disconnect();
    this.play(false);
    clearTimeout(this.lateTimer);
    clearTimeout(this.hoverTimer);
    cancelAnimationFrame(this.frame);
    this.root.remove();
  }

  get view() {
    return this.model.get("view");
  }

  /** What an element of the page does. */
  wireOf(node) {
    return this.wires.get(node?.dataset.key) ?? {};
  }

  get rtl() {
    return this.model.get("dir") === "rtl";
  }

  /** The words of the catalogue for `key`, with their {places} filled in. */
  t(key, places = {}) {
    const text = this.model.get("texts")[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, place) => places[place] ?? whole);
  }

  /** These words as a part of the page. */
  say(key, places) {
    return this.said(this.t(key, places));
  }

  /** A text in the direction of its language, which need not be that of the board. */
  said(text) {
    return h("bdi", { dir: this.t("dir") }, text);
  }

  // --- talking with Python

  get waiting() {
    return this.answered === this.view.version;
  }

  /** Send a message, but only one for each version: a double click is one click. */
  send(type, fields = {}) {
    if (this.waiting) return;
    this.answered = this.view.version;
    this.model.send({ type, version: this.view.version, ...fields });
    this.lateTimer = setTimeout(() => this.update({ late: true }), LATE_MS);
  }

  /** Send now, or right after the reply to the last message; only the newest wish is kept. */
  sendNewest(type, fields) {
    this.queued = { type, fields };
    this.sendQueued();
  }

  sendQueued() {
    if (!this.queued || this.waiting) return;
    const { type, fields } = this.queued;
    this.queued = null;
    this.send(type, fields);
  }

  /** Take over what Python changed, and let go of what it has overtaken. */
  adopt() {
    const { picks, replay, viewer } = this.view;
    const another = viewer !== this.viewer; // the next person at a shared screen
    this.viewer = viewer;
    if (another || !(this.pick in picks)) this.pick = "";
    if (another || !this.choice) this.chosen = "";
    if (!this.waiting) {
      clearTimeout(this.lateTimer);
      Object.assign(this, { late: false, notice: "" });
      if (!this.queued) this.settle();
    }
    if (!replay || replay.step >= replay.steps) this.play(false);
    this.draw();
    this.sendQueued();
  }

  /** Nothing asked for is on its way any more: what Python shows counts. */
  settle() {
    this.goal = null;
    if (mayPeek(this.view.seats[this.peeking])) this.open = false;
    if (!this.open) this.peeking = null;
  }

  update(changes) {
    Object.assign(this, changes);
    this.draw();
  }

  // --- what a person can wish

  /** The chosen card or deck, as long as something can be asked of it. */
  get choice() {
    const { market, decks, seats, prompt } = this.view;
    if (!this.chosen || prompt) return null;
    const pieces = [...market.flat(), ...seats.flatMap((seat) => seat.reserved), ...decks];
    const found = pieces.find((piece) => piece && nameOf(piece) === this.chosen);
    return found?.controls.length ? found : null;
  }

  choose(thing, clicks) {
    // A click takes the choice back; the second one of a double click does not.
    const back = clicks === 1 && this.chosen === nameOf(thing);
    this.update({ pick: "", notice: "", chosen: back ? "" : nameOf(thing) });
    if (clicks === 0) this.focus(thing.controls.find((control) => !control.why).action);
  }

  /** Why nothing on the table can be asked for now. */
  get idle() {
    const { prompt, thinking } = this.view;
    return prompt?.text ?? (thinking ? this.t("thinking", { name: thinking }) : this.t("not_now"));
  }

  /** May the pick be confirmed, and can it not grow? */
  get complete() {
    const pick = this.view.picks[this.pick];
    return Boolean(this.pick) && !pick.why && Object.values(pick.add).every(Boolean);
  }

  add(gem) {
    this.update({ chosen: "", notice: "", pick: inOrder(this.pick + gem) });
  }

  remove(gem) {
    const rest = this.pick.replace(gem, "");
    this.update({ pick: rest in this.view.picks ? rest : "", notice: "" });
  }

  cancel() {
    this.update({ pick: "", chosen: "", notice: "" });
    this.focus(this.home);
  }

  /** Do what a control says, or say why it is not possible. */
  use(control) {
    if (control?.why) this.update({ notice: control.why });
    else if (control) this.send("act", { action: control.action });
  }

  get take() {
    return { action: `take ${this.pick}`, why: this.view.picks[this.pick].why };
  }

  /** Open or close the list of the cards that a seat has bought. */
  fold(seat) {
    if (!this.unfolded.delete(seat)) this.unfolded.add(seat);
    this.draw();
  }

  help(on) {
    this.update({ helping: on });
    this.focus(on ? "close-help" : "help");
  }

  peek(seat, on, switched = false) {
    this.sendNewest("peek", { seat, on });
    this.update({ peeking: seat, open: on, switched });
  }

  hide() {
    if (this.open) this.peek(this.peeking, false);
  }

  /** Where the replay stands, or is about to. */
  get step() {
    return this.goal ?? this.view.replay.step;
  }

  go(step) {
    this.goal = Math.min(Math.max(step, 0), this.view.replay.steps);
    this.sendNewest("goto", { step: this.goal });
    this.draw();
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => this.waiting || this.go(this.step + 1), STEP_MS) : null;
  }

  togglePlay() {
    this.play(!this.timer);
    if (this.timer) this.go(this.step < this.view.replay.steps ? this.step + 1 : 0);
    this.draw();
  }

  // --- mouse, touch and keyboard

  onClick(event) {
    const button = buttonAt(event);
    if (button?.ariaDisabled === "true") this.update({ notice: button.dataset.tip });
    else this.wireOf(button).press?.(event.detail);
  }

  onHold(event) {
    const { hold } = this.wireOf(buttonAt(event));
    if (hold && event.type === "contextmenu") event.preventDefault();
    else hold?.();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    event.stopPropagation(); // or the notebook takes a letter for a shortcut of its own
    const key = plainKey(event);
    const held = event.repeat && (key === "Enter" || key === " "); // a key held down presses once
    if (held || this.answer(key, event.target)) event.preventDefault();
  }

  /** Do what a key stands for, and say whether it stood for something. */
  answer(key, target) {
    if (key === "?") return done(this.help(!this.helping));
    if (key === "Escape") return done(this.escape());
    if (target.matches("select")) return false;
    return this.view.replay ? this.replayKey(key, target) : this.playKey(key, target);
  }

  escape() {
    this.tip.hidden = true;
    if (this.helping) this.help(false);
    else if (this.pick || this.chosen) this.cancel();
  }

  playKey(key, target) {
    const gem = key === "o" ? GOLD : key.toUpperCase();
    if (key in ARROWS) return this.move(key, target);
    if (["1", "2", "3"].includes(key)) return done(this.focus(`slot-${key}-0`));
    if (key === "b") return done(this.use(this.controlAt(target, "buy")));
    if (key === "s") return done(this.use(this.controlAt(target, "reserve")));
    if (GEMS.includes(gem)) return done(this.gemKey(gem));
    const confirms = key === "Enter" && this.pick && target.ariaDisabled === "true";
    return confirms && done(this.use(this.take));
  }

  gemKey(gem) {
    const { picks, prompt } = this.view;
    if (prompt?.kind === "return") {
      this.use(prompt.controls.find((control) => control.gem === gem));
    } else if (picks[this.pick]) {
      const why = picks[this.pick].add[gem];
      if (why) this.update({ notice: why });
      else this.add(gem);
      if (this.pick) this.focus("confirm");
    }
  }

  /** The control of one kind that the focused card or deck has, or else the chosen one. */
  controlAt(target, kind) {
    const thing = this.wireOf(target).thing ?? this.choice;
    return thing?.controls.find((control) => control.action.startsWith(kind));
  }

  move(arrow, from) {
    if (from.matches(".spl-log")) return false; // it scrolls
    const pieces = [...this.page.querySelectorAll("button[data-piece]")];
    const next = from === this.root ? pieces[0] : neighbor(from, pieces, ARROWS[arrow]);
    next?.focus();
    return Boolean(next);
  }

  replayKey(key, target) {
    const [back, ahead] = this.rtl ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    const { steps } = this.view.replay;
    const goals = { [back]: this.step - 1, [ahead]: this.step + 1, Home: 0, End: steps };
    if (key === " " && !target.matches("button")) return done(this.togglePlay());
    const slides = target.matches("input"); // the slider has these keys already
    return key in goals && !slides && done(this.go(goals[key]));
  }

  onFocus({ target }) {
    const { group, key, piece } = target.dataset;
    if (group) this.stops[group] = key;
    if (piece === "table") this.home = key;
    setStops(this.page, this.stops);
    const asks = target.matches(":focus-visible") || target.ariaDisabled === "true";
    this.showTip(asks ? target.closest("[data-tip]") : null);
  }

  onHover({ target }) {
    const owner = target.closest("[data-tip]");
    clearTimeout(this.hoverTimer);
    if (owner) this.hoverTimer = setTimeout(() => this.showTip(owner), HOVER_MS);
  }

  onLeave(event) {
    const button = buttonAt(event);
    if (button?.contains(event.relatedTarget)) return;
    clearTimeout(this.hoverTimer);
    this.tip.hidden = true;
    // What a key has switched on ends with the focus, what a finger holds ends with the finger.
    const ends = (event.type === "focusout") === Boolean(this.switched);
    if (ends && this.wireOf(button).hold) this.hide();
  }

  onScroll({ target }) {
    if (!target.matches(".spl-log")) return;
    this.atEnd = target.scrollTop + target.clientHeight > target.scrollHeight - 8;
  }

  // --- drawing

  /**
   * Draw the whole page anew; what is the same stays in place, with its focus.
   *
   * Nothing here asks where things lie: the browser would have to lay out the page at once.
   */
  draw() {
    const focused = this.focusedKey();
    this.reasons = new Map();
    this.wires.clear();
    const state = ["spl-board", this.late && "spl-late"];
    const traits = { dir: this.model.get("dir"), "data-size": this.model.get("size") };
    const props = { tabindex: -1, "aria-label": this.t("board"), class: state, ...traits };
    const wanted = rootOf(props, pageOf(this));
    // Once what has the focus is gone, moving on costs a layout.
    if (focused && !holds(wanted, focused)) this.focus(focused, wanted);
    morph(this.shown, wanted);
    this.shown = wanted;
    setStops(this.page, this.stops);
    for (const one of this.page.querySelectorAll("[data-value]")) one.value = one.dataset.value;
    if (focused && !this.focusedKey()) this.focus(focused);
    if (!this.tip.hidden) this.showTip(this.tipOwner);
    this.settleSoon();
  }

  /** Put what depends on where things lie into its place, once they are about to be painted. */
  settleSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.atEnd) this.page.querySelector(".spl-log").scrollTop = 1e6;
      if (!this.tip.hidden) placeBeside(this.tip, this.tipOwner, this.root, this.rtl);
    });
  }

  focusedKey() {
    const focused = this.root.getRootNode().activeElement;
    return this.page.contains(focused) ? focused.dataset.key : undefined;
  }

  /** Focus `key`; where a page has it no more, what is asked now, or the piece focused last. */
  focus(key, shown = this.shown) {
    const { prompt, result } = this.view;
    const places = [key, prompt && "action", result && "result", this.home];
    const place = places.find((one) => one && holds(shown, one));
    ((place && find(this.page, place)) ?? this.root).focus({ preventScroll: true });
  }

  /** The id of a hidden sentence, for aria-describedby. */
  describe(text) {
    if (!this.reasons.has(text)) this.reasons.set(text, `${this.id}-why-${this.reasons.size}`);
    return this.reasons.get(text);
  }

  showTip(owner) {
    this.tipOwner = owner;
    this.tip.hidden = !(owner?.isConnected && owner.dataset.tip);
    if (this.tip.hidden) return;
    this.tip.textContent = owner.dataset.tip;
    this.tip.dir = this.t("dir");
    this.settleSoon();
  }
}

// --- the parts of the page, from top to bottom

const rootOf = (props, page) =>
  h("div", { role: "group", ...props }, [
    div("spl-page", page),
    h("div", { class: "spl-tip", role: "tooltip", "aria-hidden": "true", hidden: true }),
  ]);

const pageOf = (b) => [
  headOf(b),
  errorOf(b),
  b.helping && helpOf(b),
  resultOf(b),
  h("div", { class: "spl-columns", "data-seats": b.view.seats.length }, [
    div("spl-table", noblesOf(b), marketOf(b), bankOf(b), actionOf(b)),
    div("spl-side", div("spl-seats", b.view.seats.map((seat) => seatOf(b, seat))), logOf(b)),
  ]),
  h("div", { hidden: true }, [...b.reasons].map(([text, id]) => h("span", { id }, text))),
];

function headOf(b) {
  const { status, seats, last, round, target } = b.view;
  const current = seats.find((seat) => seat.current);
  return div("spl-head", [
    div("spl-turn", [
      current && pawn(current.seat),
      h("p", { class: "spl-status", role: "status", "data-key": "status" }, b.said(status)),
      b.view.last_round && h("strong", { class: "spl-banner" }, b.say("last_round")),
    ]),
    div("spl-news", [
      last && h("p", {}, b.said(`${b.t("last_turn")} ${last.text}`)),
      h("p", {}, b.say("facts", { round, target })),
    ]),
    button(b, {
      key: "help",
      name: b.t("help.open"),
      tip: b.t("help.open"),
      "aria-expanded": b.helping,
      press: () => b.help(!b.helping),
    }, "?"),
  ]);
}

function errorOf(b) {
  const { error } = b.view;
  const dismiss = { key: "dismiss", press: () => b.send("dismiss") };
  return h("div", { class: "spl-alert", role: "alert", "data-key": "alert" }, error && [
    h("p", {}, b.said(error)),
    button(b, dismiss, b.say("dismiss")),
  ]);
}

function helpOf(b) {
  const keys = [...(b.view.replay ? HELP_REPLAY : HELP), "help"];
  const lineOf = (key) =>
    div("", h("dt", {}, b.say(`key.${key}`)), h("dd", {}, b.say(`help.${key}`)));
  return group(b.t("help.title"), { class: "spl-help" }, [
    h("strong", {}, b.say("help.title")),
    h("dl", {}, keys.map(lineOf)),
    button(b, { key: "close-help", press: () => b.help(false) }, b.say("help.close")),
  ]);
}

function resultOf(b) {
  const { result } = b.view;
  if (!result) return null;
  const columns = ["place", "name", "points", "cards", "note"];
  return group(result.title, { class: "spl-result", ...landing("result") }, [
    div("", h("strong", {}, b.said(result.title)), h("p", {}, b.said(result.text))),
    h("table", {}, [
      h("tr", {}, columns.map((column) => h("th", { scope: "col" }, b.t(`result.${column}`)))),
      result.rows.map((row) => h("tr", {}, columns.map((column) => resultCell(row, column)))),
    ]),
  ]);
}

const resultCell = (row, column) =>
  h("td", {}, column === "name" ? [pawn(row.seat), " ", person(row.name)] : row[column]);

const noblesOf = (b) =>
  group(b.t("nobles"), { class: "spl-nobles" }, b.view.nobles.map((noble) => nobleOf(b, noble)));

function nobleOf(b, noble) {
  const mine = noble.needs.find((need) => need.seat === b.view.viewer);
  const control = noble.controls[0];
  return piece(b, {
    key: `noble-${noble.name}`,
    class: ["spl-noble", control && !control.why && "spl-able"],
    name: noble.label,
    tip: [noble.label, ...noble.needs.map((need) => need.text)].join("\n"),
    why: control?.why,
    press: control && once(() => b.use(control)),
  }, [
    span("spl-points", noble.points),
    span("spl-costs", costsOf(noble.cost, mine?.missing, "spl-square")),
    span("spl-title", noble.title || noble.name),
    span("spl-needs", noble.needs.map(needOf)),
  ]);
}

const needOf = ({ seat, total }) => span(total ? "" : "spl-met", pawn(seat), total || "✓");

function marketOf(b) {
  const rows = [3, 2, 1].map((level) => [
    deckOf(b, b.view.decks[level - 1]),
    b.view.market[level - 1].map((card, slot) => slotOf(b, card, `slot-${level}-${slot}`)),
  ]);
  return group(b.t("market"), { class: "spl-market" }, rows);
}

const deckOf = (b, deck) =>
  piece(b, {
    ...chooser(b, deck),
    key: `deck-${deck.level}`,
    class: ["spl-deck", !deck.size && "spl-empty"],
    name: deck.label,
    group: "market",
    asButton: !b.view.replay,
  }, dots(deck.level), span("spl-size", deck.size));

function slotOf(b, card, key) {
  if (!card) return h("span", { class: "spl-card spl-empty", "data-key": key });
  if (card.back) return backOf(card, key);
  return cardOf(b, card, { key, group: "market", asButton: !b.view.replay });
}

/** A card face up: a button where something can be asked of it, otherwise a picture. */
function cardOf(b, card, place) {
  const able = !b.view.prompt && ["yes", "gold"].includes(card.afford);
  const flag = (card.new && b.t("new")) || (card.last && b.t("last"));
  return piece(b, {
    ...chooser(b, card),
    ...place,
    class: ["spl-card", look(card.bonus), flag && "spl-touched", able && "spl-able"],
    name: flag ? `${card.label} ${flag}` : card.label,
  }, [
    span("spl-band", span("spl-points", card.points || ""), gem(card.bonus)),
    span("spl-costs", costsOf(card.cost, card.afford === "no" && card.missing)),
    span("spl-foot", span("spl-name", card.name), markOf(card)),
    flag && span("spl-flag", flag),
  ]);
}

const backOf = ({ label, level }, key) =>
  picture(label, { class: "spl-card spl-back", "data-key": key }, [
    dots(level),
    span("spl-size", "?"),
  ]);

/** What choosing a card or a deck does, or why there is nothing to choose. */
function chooser(b, thing) {
  const reasons = [...new Set(thing.controls.map((control) => control.why))];
  const free = !b.view.prompt && reasons.includes("");
  const why = free ? "" : reasons.filter(Boolean).join(" ") || b.idle;
  return {
    thing,
    why,
    tip: thing.note || thing.label,
    "aria-pressed": b.chosen === nameOf(thing),
    press: (clicks) => b.choose(thing, clicks),
  };
}

const costsOf = (cost, missing, shape = "spl-pip") =>
  COLORS.filter((color) => cost[color]).map((color) =>
    span("spl-cost", [
      amount(shape, color, cost[color]),
      missing?.[color] && span("spl-missing", figure(`−${missing[color]}`)),
    ]));

/** Can it be bought? Said by a sign, not by a color alone. */
function markOf({ afford, gold, missing }) {
  if (!afford) return null;
  const total = Object.values(missing).reduce((sum, count) => sum + count, 0);
  const sign = { yes: "✓", gold: `✓ ${gold}★`, no: `−${total}` }[afford];
  return span(`spl-mark spl-mark-${afford}`, figure(sign));
}

const bankOf = (b) =>
  group(b.t("bank"), { class: "spl-bank" }, GEMS.map((color) => pileOf(b, color)));

function pileOf(b, color) {
  const { bank, picks, last, replay } = b.view;
  const picked = countOf(b.pick, color);
  const taken = countOf(last?.gems ?? "", color);
  const words = { color: b.t(`color.${color}`), count: bank[color], picked };
  return piece(b, {
    key: `pile-${color}`,
    class: ["spl-pile", look(color), picked && "spl-picked", !bank[color] && "spl-none"],
    style: `--count: ${bank[color] - picked}`,
    name: b.t(picked ? "pile.picked" : "pile", words),
    why: picks[b.pick] ? picks[b.pick].add[color] : b.idle,
    group: "bank",
    asButton: !replay,
    press: (clicks) => {
      b.add(color);
      if (clicks === 0 && b.complete) b.focus("confirm");
    },
  }, [
    span("spl-chip", gem(color)),
    span("spl-size", bank[color] - picked),
    taken > 0 && span("spl-taken", figure(`−${taken}`)),
  ]);
}

function actionOf(b) {
  const { prompt, replay, thinking } = b.view;
  const notice = b.late ? b.t("waiting") : b.notice;
  const busy = prompt || replay || thinking || b.pick || b.choice || notice;
  const kind = ["spl-action", busy && "spl-busy", prompt && "spl-asking"];
  return group(b.t("action"), { class: kind, ...landing("action") }, [
    div("spl-asked", askedOf(b)),
    h("p", { class: "spl-notice", role: "status" }, notice && b.said(notice)),
    adviceOf(b),
  ]);
}

/** What a person can do or wait for now. */
function askedOf(b) {
  const { prompt, replay, result, thinking, interactive } = b.view;
  if (replay) return replayOf(b);
  if (result) return rematchOf(b);
  if (prompt) return promptOf(b, prompt);
  if (b.pick) return pickOf(b);
  if (b.choice) return choiceOf(b, b.choice);
  if (thinking) return thinkingOf(b, thinking);
  return h("p", { class: "spl-hint" }, interactive && b.say("hint"));
}

/** What a search would do, and how it sees the game. */
function adviceOf(b) {
  const { advice } = b.view;
  if (!advice) return null;
  return group(b.t("advice"), { class: "spl-advice" }, [
    advice.evaluation && meterOf(b, advice.share),
    advice.hint && button(b, {
      key: "hint",
      why: advice.hint.why,
      press: once(() => b.send("hint")),
    }, b.said(advice.hint.label)),
    h("div", { class: "spl-hints", role: "status", "data-key": "hints" }, [
      advice.thinking && span("spl-thinking", b.say("advice.thinking"), h("i"), h("i"), h("i")),
      advice.lines.length > 0 && h("ol", {}, advice.lines.map((line) => adviceLine(b, line))),
    ]),
  ]);
}

const adviceLine = (b, { text, share, why }) =>
  h("li", {}, h("b", {}, b.said(text)), b.said(share), h("small", {}, b.said(why)));

function meterOf(b, share) {
  const text = share === null ? b.t("advice.waiting") : b.t("advice.you", { share });
  return div("spl-chance", [
    h("div", {
      class: "spl-meter",
      role: "meter",
      "aria-label": b.t("advice.meter"),
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": share ?? 50,
      "aria-valuetext": text,
      "data-tip": b.t("advice.meter"),
    }, h("i", { style: `inline-size: ${share ?? 50}%` })),
    span("", b.said(text)),
  ]);
}

const pickOf = (b) => [
  span("spl-lead", b.say("pick")),
  [...b.pick].map((color, at) => pickedOf(b, color, `picked-${at}`)),
  controlOf(b, { ...b.take, label: b.t("confirm") }, {
    key: "confirm",
    class: ["spl-go", b.complete && "spl-ready"],
  }),
  cancelOf(b),
];

function pickedOf(b, color, key) {
  const name = b.t("pick.remove", { color: b.t(`color.${color}`) });
  const press = () => b.remove(color);
  return button(b, { key, name, tip: name, class: "spl-picked", press }, gem(color));
}

const cancelOf = (b) =>
  button(b, { key: "cancel", "data-piece": "action", press: () => b.cancel() }, b.say("cancel"));

const choiceOf = (b, thing) => [
  span("spl-lead", thing.bonus
    ? [gem(thing.bonus), h("b", {}, thing.name), b.said(thing.note)]
    : [dots(thing.level), b.said(thing.label)]),
  thing.controls.map((control) =>
    controlOf(b, control, { class: control.action.startsWith("buy") && "spl-go" })),
  cancelOf(b),
];

const controlOf = (b, control, props, ...content) =>
  button(b, {
    key: control.action,
    why: control.why,
    "data-piece": "action",
    press: once(() => b.use(control)),
    ...props,
  }, content.length ? content : b.said(control.label));

const rematchOf = (b) =>
  button(b, { key: "rematch", class: "spl-go", press: () => b.send("rematch") }, b.say("rematch"));

function promptOf(b, { kind, text, controls, ...counts }) {
  const gives = kind === "return";
  const mainOf = (at) => kind !== "pay" || at === controls.length - 1;
  return [
    span("spl-lead", gives && counterOf(b, counts), h("strong", {}, b.said(text))),
    controls.map((control, at) =>
      controlOf(b, control, { name: control.label, class: !gives && mainOf(at) && "spl-go" }, [
        control.gem && gem(control.gem),
        gives ? b.say(`color.${control.gem}`) : b.said(control.label),
      ])),
  ];
}

const counterOf = (b, { held, limit }) =>
  span("spl-counter", [
    h("b", {}, b.say("return.counter", { held, limit })),
    h("span", { class: "spl-beads", "aria-hidden": "true" },
      Array.from({ length: held }, (_, at) => h("i", { class: at >= limit && "spl-over" }))),
  ]);

const thinkingOf = (b, name) => [
  span("spl-lead spl-thinking", b.say("thinking", { name }), h("i"), h("i"), h("i")),
  button(b, { key: "skip", tip: b.t("skip.why"), press: () => b.send("skip") }, b.say("skip")),
];

function replayOf(b) {
  const { steps, label } = b.view.replay;
  b.wires.set("slider", { change: (value) => b.go(Number(value)) });
  const place = b.t("replay.place", { step: b.step, steps });
  return div("spl-replay", [
    span("spl-steps", stepsOf(b)),
    h("input", {
      type: "range",
      min: 0,
      max: steps,
      "data-value": b.step,
      "data-key": "slider",
      "aria-label": b.t("replay.slider"),
      "aria-valuetext": `${place}: ${label}`,
    }),
    span("spl-place", h("b", {}, b.said(place)), " ", b.said(label)),
    viewersOf(b),
  ]);
}

function stepsOf(b) {
  const { step } = b;
  const { steps } = b.view.replay;
  const stepOf = (name, press, end, key = name) => {
    const words = b.t(`replay.${name}`);
    const why = end && b.t("replay.end");
    const kind = [`spl-step-${name}`, key === "play" && "spl-go"];
    return button(b, { key, class: kind, name: words, tip: words, why, press }, h("i"));
  };
  return [
    stepOf("first", () => b.go(0), step === 0),
    stepOf("back", () => b.go(step - 1), step === 0),
    stepOf(b.timer ? "pause" : "play", () => b.togglePlay(), false, "play"),
    stepOf("forward", () => b.go(step + 1), step === steps),
    stepOf("last", () => b.go(steps), step === steps),
  ];
}

function viewersOf(b) {
  const change = (value) => b.sendNewest("viewer", { seat: JSON.parse(value) });
  b.wires.set("viewer", { change });
  const optionOf = ({ seat, label }) => h("option", { value: JSON.stringify(seat) }, label);
  const props = { "data-key": "viewer", "data-value": JSON.stringify(b.view.viewer) };
  const select = h("select", props, b.view.replay.viewers.map(optionOf));
  return h("label", {}, b.say("replay.viewer"), " ", select);
}

function seatOf(b, seat) {
  const kind = ["spl-seat", seat.current && "spl-current"];
  return group(seat.label, { class: kind, "data-key": `seat-${seat.seat}` }, [
    div("spl-seat-head", [
      pawn(seat.seat),
      person(seat.name),
      ["you", "first", "current", "last"].map((mark) =>
        seat[mark] && span(`spl-tag spl-tag-${mark}`, b.t(`seat.${mark}`))),
      span("spl-score", figure(h("b", {}, seat.points), `/${b.view.target}`)),
    ]),
    div("spl-holdings", bonusesOf(b, seat), tokensOf(b, seat)),
    div("spl-belongings", belongingsOf(b, seat)),
    b.unfolded.has(seat.seat) && h("ul", { class: "spl-bought", "data-key": "bought" },
      seat.bought.map((card) => boughtCard(card, isTouched(b, card)))),
  ]);
}

const bonusesOf = (b, { seat, bonuses, bought, cards }) => [
  button(b, {
    key: `fold-${seat}`,
    class: "spl-fold spl-caption",
    "aria-expanded": b.unfolded.has(seat),
    press: () => b.fold(seat),
  }, b.say("seat.cards", { count: cards })),
  COLORS.map((color) => {
    const touched = bought.some((card) => card.bonus === color && isTouched(b, card));
    return amount(stateOf("spl-square", bonuses[color], touched), color, bonuses[color]);
  }),
  span(""),
];

function tokensOf(b, { seat, tokens, total, limit, current }) {
  const { prompt, last } = b.view;
  const controls = current && prompt?.kind === "return" ? prompt.controls : [];
  const taken = last?.seat === seat ? last.gems ?? "" : "";
  return [
    span(["spl-caption", total > limit && "spl-over"], b.say("seat.tokens", { total, limit })),
    GEMS.map((color) => {
      const state = stateOf("spl-pip", tokens[color], taken.includes(color));
      const control = controls.find((one) => one.gem === color);
      const token = amount(state, color, tokens[color]);
      return control ? tokenButton(b, control, `token-${seat}-${color}`, token) : token;
    }),
  ];
}

const stateOf = (shape, count, touched) => [
  shape,
  !count && "spl-none",
  touched && "spl-touched",
];

const isTouched = (b, { name }) => Boolean(b.view.last?.cards?.includes(name));

const tokenButton = (b, control, key, token) =>
  button(b, {
    key,
    class: "spl-token",
    name: control.label,
    tip: control.label,
    why: control.why,
    "data-piece": "table",
    press: once(() => b.use(control)),
  }, token);

const belongingsOf = (b, seat) => [
  seat.nobles.map((noble) => picture(noble.label, { class: "spl-visited" }, `♛ ${noble.points}`)),
  seat.reserved.map((card, at) => {
    const key = `reserve-${seat.seat}-${at}`;
    if (card.back) return backOf(card, key);
    return cardOf(b, card, { key, asButton: card.controls.length > 0 });
  }),
  (mayPeek(seat) || b.peeking === seat.seat) && peekOf(b, seat),
];

const peekOf = (b, { seat }) =>
  button(b, {
    key: `peek-${seat}`,
    class: "spl-peek",
    tip: b.t("peek.why"),
    "aria-pressed": b.open,
    hold: () => b.peek(seat, true), // by mouse or finger
    press: (clicks) => clicks === 0 && b.peek(seat, !b.open, true), // by a key
  }, b.say("peek"));

const boughtCard = ({ name, bonus, points, label }, touched) =>
  h("li", { class: touched && "spl-touched", "data-tip": label }, [
    gem(bonus),
    name,
    points > 0 && h("b", {}, figure(`+${points}`)),
  ]);

const logOf = (b) =>
  h("div", {
    class: "spl-log",
    role: "log",
    "aria-label": b.t("log"),
    tabindex: 0,
    "data-key": "log",
  }, h("ol", {}, b.view.log.map((entry) => entryOf(b, entry))));

const entryOf = (b, { id, turn, seat, text }) =>
  h("li", { "data-key": `log-${id}` }, h("small", {}, turn), pawn(seat), b.said(text));

// --- small pieces

/** A thing on the table: a button, or a picture where nobody can ask anything of it. */
function piece(b, { asButton, group: family, ...props }, ...content) {
  if (asButton ?? props.press) {
    return button(b, { ...props, "data-group": family, "data-piece": "table" }, content);
  }
  const { name, key, tip, style, class: kind } = props;
  return picture(name, { style, class: kind, "data-key": key, "data-tip": tip }, content);
}

/** A real button; one that cannot act now stays in reach, is dimmed and says why. */
function button(b, { key, name, why, tip, press, hold, thing, ...props }, ...content) {
  b.wires.set(key, { press, hold, thing });
  return h("button", {
    type: "button",
    "data-key": key,
    "data-tip": why || tip,
    "aria-label": name,
    "aria-disabled": why ? "true" : null,
    "aria-describedby": why ? b.describe(why) : null,
    ...props,
  }, content);
}

const picture = (name, props, ...content) =>
  h("span", { role: "img", "aria-label": name, "data-tip": name, ...props }, content);

const group = (name, props, ...content) =>
  h("div", { role: "group", "aria-label": name, ...props }, content);

/** Where the focus may land without pressing anything by accident. */
const landing = (key) => ({ "data-key": key, tabindex: -1 });

/** Act on a click, not on the second one of a double click. */
const once = (act) => (clicks) => clicks < 2 && act();

const div = (kind, ...content) => h("div", { class: kind }, content);
const span = (kind, ...content) => h("span", { class: kind }, content);
const gem = (color) =>
  h("span", { class: `spl-gem ${look(color)}`, "aria-hidden": "true" }, h("b", {}, sign(color)));
const amount = (shape, color, count) =>
  span([shape, look(color)].flat(), count, h("small", {}, sign(color)));
/** A figure with its sign, which reads from left to right in every language. */
const figure = (...content) => h("bdi", { dir: "ltr" }, content);
const dots = (level) => span("spl-dots", Array.from({ length: level }, () => h("i")));
const pawn = (seat) => h("span", { class: `spl-pawn spl-pawn-${seat}`, "aria-hidden": "true" });
const person = (name) => h("bdi", { class: "spl-person", title: brief(name) }, name);

const brief = (name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name);
const look = (color) => (color === GOLD ? "spl-gold" : `spl-${color}`);
const sign = (color) => (color === GOLD ? "★" : color);
const nameOf = (thing) => thing.name ?? (thing.back ? "" : `L${thing.level}`);
const countOf = (letters, color) => letters.split(color).length - 1;
const inOrder = (letters) => GEMS.map((color) => color.repeat(countOf(letters, color))).join("");
const mayPeek = (seat) => Boolean(seat?.reserved.some((card) => card.peek));
const buttonAt = (event) => event.target.closest("button");
const done = () => true;

// --- keys and places

/** The Latin letter on the key, whatever the keyboard's language, or the key's name. */
function plainKey({ key, code }) {
  if (key.length > 1) return key;
  return key > "~" && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key.toLowerCase();
}

/** The node that lies next to `from` in a direction. */
function neighbor(from, nodes, [dx, dy]) {
  const here = middle(from);
  const distance = (node) => {
    const [x, y] = middle(node).map((place, axis) => place - here[axis]);
    const ahead = x * dx + y * dy;
    return node !== from && ahead > 4 ? ahead + 3 * Math.abs(x * dy + y * dx) : Infinity;
  };
  const distances = nodes.map(distance);
  const least = Math.min(...distances);
  return least < Infinity ? nodes[distances.indexOf(least)] : undefined;
}

function middle(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

const find = (page, key) => page.querySelector(`[data-key="${CSS.escape(key)}"]`);

/** Put a tip above its owner, or below where there is no room, inside the frame. */
function placeBeside(tip, owner, frame, rtl) {
  const at = owner.getBoundingClientRect();
  const around = frame.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const above = at.top - height - 6;
  const top = above > Math.max(around.top, 0) ? above : at.bottom + 6;
  const start = (rtl ? around.right - at.right : at.left - around.left) + (at.width - width) / 2;
  tip.style.insetBlockStart = `${top - around.top}px`;
  tip.style.insetInlineStart = `${Math.max(4, Math.min(start, around.width - width - 4))}px`;
}

/** In each group one button is reached by Tab, the others by the arrow keys. */
function setStops(tree, stops) {
  for (const family of GROUPS) {
    const buttons = [...tree.querySelectorAll(`[data-group="${family}"]`)];
    const stop = buttons.find((node) => node.dataset.key === stops[family]) ?? buttons[0];
    for (const node of buttons) {
      const place = node === stop ? 0 : -1;
      if (node.tabIndex !== place) node.tabIndex = place;
    }
  }
}

// --- the document, and what is to be in it

/**
 * Describe an element, which is cheap; only where it differs from what is shown is anything made.
 * Strings become text, never markup.
 */
function h(tag, props = {}, ...content) {
  const attributes = new Map();
  for (const [name, value] of Object.entries(props)) describe(attributes, name, value);
  const parts = content.flat(Infinity).filter((part) => part || part === 0);
  const children = parts.map((part) => (part.tag ? part : { tag: TEXT, text: String(part) }));
  return { tag, attributes, children, key: attributes.get("data-key") };
}

function describe(attributes, name, value) {
  const text = Array.isArray(value) ? value.filter(Boolean).join(" ") : value;
  const said = name.startsWith("aria-") && typeof text === "boolean"; // "false" says something
  if (said || text || text === 0) attributes.set(name, text === true && !said ? "" : String(text));
}

/** Make what is described, and remember it as the node of the description. */
function make(wanted) {
  if (wanted.tag === TEXT) return (wanted.node = document.createTextNode(wanted.text));
  wanted.node = document.createElement(wanted.tag);
  for (const [name, value] of wanted.attributes) wanted.node.setAttribute(name, value);
  wanted.node.append(...wanted.children.map(make));
  return wanted.node;
}

/** Change the node of `shown` into what is `wanted`, with as few touches as possible. */
function morph(shown, wanted) {
  const { node } = shown;
  wanted.node = node;
  if (wanted.tag === TEXT) {
    if (shown.text !== wanted.text) node.data = wanted.text;
  } else {
    morphAttributes(node, shown.attributes, wanted.attributes);
    morphChildren(node, shown.children, wanted.children);
  }
}

function morphAttributes(node, shown, wanted) {
  for (const name of shown.keys()) if (!wanted.has(name)) node.removeAttribute(name);
  for (const [name, value] of wanted) {
    if (shown.get(name) !== value) node.setAttribute(name, value);
  }
}

/** What can stay keeps its focus, hover and scroll. */
function morphChildren(parent, shown, wanted) {
  let at = 0;
  for (const child of wanted) {
    const twin = twinOf(child, shown, at);
    if (twin === undefined) parent.insertBefore(make(child), shown[at]?.node ?? null);
    else {
      for (const gone of shown.slice(at, twin)) gone.node.remove();
      morph(shown[twin], child);
      at = twin + 1;
    }
  }
  for (const gone of shown.slice(at)) gone.node.remove();
}

/** Where the child at `at`, or the one with the same key after it, can become `wanted`. */
function twinOf({ tag, key }, shown, at) {
  let place = at;
  while (key && shown[place] && shown[place].key !== key) place += 1;
  return shown[place]?.tag === tag && shown[place].key === key ? place : undefined;
}

const holds = (wanted, key) =>
  wanted.key === key || Boolean(wanted.children?.some((child) => holds(child, key)));
