// A chart that can be changed in place: plotly's own widget, started late.
//
// anywidget gives a widget two seconds to start, and from then on drops every message to one that
// was slower. Plotly's is five megabytes, which takes longer on a busy machine: its charts then
// never change again. This one starts at once, keeps what comes meanwhile, and hands it on.

const PLOTLY = __PLOTLY__; // the text of plotly's own module, put in by live.py
const MESSAGES = ["addTraces", "deleteTraces", "moveTraces", "restyle", "relayout", "update"]
  .concat(["animate", "removeLayoutProps", "removeTraceProps"])
  .map((name) => `_py2js_${name}`);

// One copy for all charts of a page.
function load() {
  const link = () => URL.createObjectURL(new Blob([PLOTLY], { type: "text/javascript" }));
  globalThis.splendorPlotly ??= import(link());
  return globalThis.splendorPlotly;
}

export default () => {
  const kept = [];
  let model;
  let started;

  function keep(name) {
    const message = model.get(name);
    if (message !== null) kept.push([name, message]);
  }

  async function start() {
    const { default: make } = await load();
    const widget = make();
    model.off(null, null); // from here on plotly's own widget hears the messages
    widget.initialize({ model });
    for (const [name, message] of kept) {
      model.set(name, message); // the model takes it up as if it came now
      model.set(name, null);
    }
    return widget;
  }

  return {
    initialize(given) {
      model = given.model;
      for (const name of MESSAGES) model.on(`change:${name}`, () => keep(name));
    },
    async render({ el }) {
      started ??= start();
      const widget = await started;
      return widget.render({ model, el });
    },
  };
};
