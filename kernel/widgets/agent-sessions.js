/** Shows what strong agents say and do, and lets a person tell them something, stop the run and let it go on. */
import { controlStyle, inPlaces, part } from "./place.js";

function render({ model, el }) {
  el.classList.add("madrigal-agent-sessions");
  el.dataset.lmSuppressShortcuts = "true";
  const sessions = part("div", "");
  const row = part("div", "display:flex;flex-wrap:wrap;gap:.4em;align-items:center;margin:.3em 0");
  const button = (label, title, content) => {
    const made = part("button", "", label);
    made.type = "button";
    made.title = title;
    made.addEventListener("click", () => model.send(content));
    return made;
  };
  const stop = button("Stop", "stops the agents and pauses the run; nothing is lost", {
    stop: true,
  });
  const go = button("Go on", "the run goes on where it stands", { go: true });
  const words = part("input", "flex:1;min-width:14em;padding:.2em .4em");
  words.placeholder = "Tell it something";
  words.setAttribute("aria-label", "what the agent is told");
  const to = part("select", "padding:.2em");
  to.setAttribute("aria-label", "which agent is told");
  const tell = part("button", "", "Tell");
  tell.type = "button";
  tell.title = "the agent hears it while it works, where it can";
  const send = () => {
    if (words.value.trim() === "") return;
    model.send({ steer: words.value, to: to.value });
    words.value = "";
  };
  tell.addEventListener("click", send);
  words.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) send();
  });
  row.append(stop, go, words, to, tell);
  const status = part("div", "opacity:.8");
  status.setAttribute("role", "status");
  const fault = part("div", "color:var(--jp-error-color1,#b3321a);white-space:pre-wrap");
  fault.setAttribute("role", "alert");
  el.append(
    part("style", "", controlStyle(".madrigal-agent-sessions")),
    sessions,
    row,
    status,
    fault,
  );

  let shown = "";
  const drawSessions = () => {
    const html = model.get("html");
    if (html === shown) return;
    shown = html;
    const folds = () => [...sessions.querySelectorAll("details[data-key]")];
    const open = new Map(folds().map((one) => [one.dataset.key, one.open]));
    // The kernel has escaped every text in it; the same stands in the output that is shown without this view.
    sessions.innerHTML = html;
    for (const one of folds()) one.open = open.get(one.dataset.key) ?? one.open;
  };
  const draw = () => {
    drawSessions();
    const runState = model.get("runState");
    const nodes = model.get("nodes");
    const isWorking = runState === "working" && nodes.length > 0;
    stop.hidden = runState !== "working";
    go.hidden = runState !== "paused";
    for (const one of [words, tell]) one.hidden = !isWorking;
    to.hidden = !isWorking || nodes.length < 2;
    const before = to.value;
    to.replaceChildren(
      ...nodes.map((node) => {
        const option = part("option", "", node);
        option.value = node;
        return option;
      }),
    );
    if (nodes.includes(before)) to.value = before;
    status.textContent = model.get("status");
    fault.textContent = model.get("fault");
  };
  model.on("change", draw);
  draw();
  return () => model.off("change", draw);
}

// biome-ignore lint/style/noDefaultExport: anywidget takes a module's default export.
export default inPlaces(render);
