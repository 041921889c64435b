/**
 * The review of a finished game: a chart of everybody's chances, and the largest mistakes.
 *
 * It draws what Python sends; a click on a mistake or on the chart asks for that position.
 */

const WIDTH = 600;
const HEIGHT = 150;
const EDGE = 6;
const DASHES = ["", "7 4", "2 3", "9 3 2 3"]; // so that seats are told apart without color
const SVG = "http://www.w3.org/2000/svg";

export default {
  render({ model, el }) {
    const root = make("section", { class: "spl-review" });
    el.append(root);
    const draw = () => {
      const held = root.contains(document.activeElement) && document.activeElement.dataset.key;
      const view = model.get("view");
      root.dir = model.get("dir");
      root.hidden = view.phase === "off";
      root.replaceChildren(...(root.hidden ? [] : partsOf(view, (asked) => model.send(asked))));
      if (held) root.querySelector(`[data-key="${held}"]`)?.focus();
    };
    root.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
    });
    model.on("change", draw);
    draw();
    return () => model.off("change", draw);
  },
};

function partsOf(view, send) {
  const button = (key, text, message, more = {}) => {
    const node = make("button", { type: "button", "data-key": key, ...more }, text);
    node.addEventListener("click", () => send(message));
    return node;
  };
  const head = make("div", { class: "spl-review-head" }, make("strong", {}, view.title));
  if (view.phase === "idle") head.append(button("analyze", view.analyze, { type: "analyze" }));
  if (view.phase === "running") head.append(button("stop", view.stop, { type: "stop" }));
  if (view.back) head.append(button("back", view.back, { type: "back" }));
  const status = view.phase === "running" ? view.progress : "";
  head.append(make("span", { role: "status" }, status));
  if (view.phase === "idle") return [head, make("p", {}, view.note)];
  const list = view.mistakes.map((one) => {
    const kind = one.step === view.step ? { "aria-current": "step" } : {};
    const go = { type: "goto", step: one.step };
    const mark = make("span", { class: `spl-review-seat spl-review-${one.seat}` });
    const item = button(`go-${one.step}`, "", go, kind);
    item.append(mark, make("bdi", {}, one.text));
    return make("li", {}, item);
  });
  const none = view.phase === "done" && !list.length && make("p", {}, view.none);
  return [
    head,
    legendOf(view),
    chartOf(view, send),
    none || make("ol", {}, ...list),
  ];
}

function legendOf(view) {
  const items = view.lines.map(({ seat, name }) => {
    const sample = draw("svg", { width: 34, height: 10, "aria-hidden": "true" });
    sample.append(draw("line", { x1: 0, x2: 34, y1: 5, y2: 5, ...lookOf(seat) }));
    return make("span", {}, sample, make("bdi", {}, name));
  });
  return make("div", { class: "spl-review-legend" }, ...items);
}

const lookOf = (seat) => ({
  class: `spl-review-line spl-review-${seat}`,
  "stroke-dasharray": DASHES[seat],
});

/** Chances over the steps of the game; time runs from left to right in every language. */
function chartOf(view, send) {
  const x = (step) => EDGE + ((WIDTH - 2 * EDGE) * step) / Math.max(1, view.steps);
  const y = (share) => EDGE + ((HEIGHT - 2 * EDGE) * (100 - share)) / 100;
  const box = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": view.chart,
    preserveAspectRatio: "none",
  });
  for (const share of [0, 25, 50, 75, 100]) {
    const at = { x1: EDGE, x2: WIDTH - EDGE, y1: y(share), y2: y(share) };
    box.append(draw("line", { class: "spl-review-grid", ...at }));
  }
  if (view.step !== null) {
    const at = { x1: x(view.step), x2: x(view.step), y1: 0, y2: HEIGHT };
    box.append(draw("line", { class: "spl-review-now", ...at }));
  }
  for (const { seat, points } of view.lines) {
    const path = points.map(([step, share]) => `${x(step)},${y(share)}`).join(" ");
    box.append(draw("polyline", { points: path, fill: "none", ...lookOf(seat) }));
  }
  for (const { step, seat, share } of view.mistakes) {
    const [left, top] = [x(step), y(share)];
    const cross = `M${left - 4} ${top - 4}l8 8m0 -8l-8 8`;
    box.append(draw("path", { d: cross, class: `spl-review-cross spl-review-${seat}` }));
  }
  box.addEventListener("click", (event) => {
    const { left, width } = box.getBoundingClientRect();
    const place = ((event.clientX - left) / width) * WIDTH;
    const step = Math.round(((place - EDGE) / (WIDTH - 2 * EDGE)) * view.steps);
    send({ type: "goto", step: Math.min(view.steps, Math.max(0, step)) });
  });
  return make("div", { class: "spl-review-chart" }, axisOf(), box);
}

const axisOf = () =>
  make("div", { class: "spl-review-axis", "aria-hidden": "true" },
    ...["100 %", "50 %", "0 %"].map((text) => make("span", {}, text)));

/** Make an element of the page. Strings become text, never markup. */
function make(tag, props, ...content) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
  node.append(...content.filter((part) => part !== ""));
  return node;
}

function draw(tag, props) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
  return node;
}
