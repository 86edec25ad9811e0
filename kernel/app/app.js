/** Shows the outputs and widgets of a kernel in a page of an app, as the server tells them; the server has cleaned all HTML. */

const app = document.querySelector("#app");
const status = document.querySelector("#status");
const question = document.querySelector("#question");
const widgets = new Map();

const TAKE = {
  all({ outputs, widgets: shown, question: asked, status: now }) {
    for (const id of [...widgets.keys()]) close(id);
    for (const place of document.querySelectorAll("[data-cell]"))
      TAKE.outputs({ cell: place.dataset.cell, html: outputs[place.dataset.cell] ?? [] });
    for (const one of shown) void TAKE.widget(one);
    TAKE.question(asked);
    TAKE.status(now);
  },
  outputs({ cell, html }) {
    const place = document.querySelector(`[data-cell="${cell}"]`);
    if (place === null) return;
    for (const [at, text] of html.entries()) {
      const there = place.children[at] ?? place.appendChild(document.createElement("div"));
      if (there.shownHtml === text) continue;
      there.className = "nb-output";
      there.innerHTML = text;
      there.shownHtml = text;
    }
    while (place.children.length > html.length) place.lastElementChild.remove();
  },
  async widget({ id, view, state }) {
    const model = modelOf(id, state);
    widgets.set(id, { model });
    const { default: module } = await import(`/assets/${view}`);
    const widget = widgets.get(id);
    if (widget?.model === model) widget.end = module.initialize({ model });
  },
  message({ id, state, content }) {
    const model = widgets.get(id)?.model;
    if (state !== undefined) model?.update(state);
    else model?.tell("msg:custom", content);
  },
  closed: close,
  question(asked) {
    if (question === null) return;
    question.hidden = asked === null;
    if (asked === null) return;
    question.querySelector("label").textContent = asked.prompt;
    const line = question.querySelector("input");
    line.type = asked.isPassword ? "password" : "text";
    line.value = "";
    line.focus();
  },
  status({ kind, text }) {
    status.dataset.kind = kind;
    status.textContent = kind === "ready" ? "" : text;
    if (kind === "ended" && question !== null) question.hidden = true;
  },
};

function close(id) {
  const widget = widgets.get(id);
  widgets.delete(id);
  widget?.end?.();
}

/** A model as anywidget gives it to a view. */
function modelOf(id, begun) {
  let state = begun;
  const listeners = new Map();
  const tell = (name, content) => {
    for (const listener of [...(listeners.get(name) ?? [])]) listener(content);
  };
  return {
    get: (name) => state[name],
    send: (content) => void post(app.dataset.say, { widget: id, content }),
    on: (name, listener) => listeners.set(name, (listeners.get(name) ?? new Set()).add(listener)),
    off: (name, listener) => listeners.get(name)?.delete(listener),
    tell,
    update(changes) {
      state = { ...state, ...changes };
      tell("change");
    },
  };
}

/** One after the other: a slider's last place must come last. */
let sending = Promise.resolve();

function post(address, body) {
  const sent = sending.then(() =>
    fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  sending = sent.catch(() => {});
  return sent;
}

const events = new EventSource(app.dataset.events);
for (const [kind, take] of Object.entries(TAKE))
  events.addEventListener(kind, ({ data }) => void take(JSON.parse(data)));
events.addEventListener("error", () => {
  const isLost = events.readyState === EventSource.CLOSED;
  TAKE.status({
    kind: "ended",
    text: isLost ? "this page has no kernel any more: open its address again" : "connecting again",
  });
});

question?.addEventListener("submit", (event) => {
  event.preventDefault();
  void post("/answer", { value: question.querySelector("input").value });
});

document.querySelector("#again")?.addEventListener("click", () => void post("/again", {}));

const line = document.querySelector("#console");
line?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const input = line.querySelector("input");
  const command = input.value;
  input.value = "";
  const log = document.querySelector("#said");
  const answer = await post(line.dataset.command, { command });
  log.textContent += `> ${command}\n${await answer.text()}\n`;
  log.scrollTop = log.scrollHeight;
});
