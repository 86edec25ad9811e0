/** Shows the page of an agent's browser, which a person can take over: clicks, keys and the wheel go to that page. */
import { inPlaces, part } from "./place.js";

const NAMED = new Set([
  "Enter",
  "Tab",
  "Backspace",
  "Delete",
  "Escape",
  "Home",
  "End",
  "PageUp",
  "PageDown",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
]);

function render({ model, el }) {
  el.classList.add("madrigal-live-page");
  // Keys are for the page: JupyterLab would take them for its cells.
  el.dataset.lmSuppressShortcuts = "true";
  const row = part("div", "display:flex;flex-wrap:wrap;gap:.4em;align-items:center;margin:.3em 0");
  const button = (label, title, act) => {
    const made = part("button", "", label);
    made.type = "button";
    made.title = title;
    made.addEventListener("click", () => act());
    row.append(made);
    return made;
  };
  const take = button("Take over", "the agent waits while you use its browser", () =>
    model.send({ take: true }),
  );
  const give = button("Hand back", "the agent goes on in this browser", () =>
    model.send({ give: true }),
  );
  const back = button("Back", "goes back to the page before", () => act({ kind: "back" }));
  const address = part("input", "flex:1;min-width:12em;padding:.2em .4em");
  address.setAttribute("aria-label", "address");
  address.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) act({ kind: "visit", url: address.value });
  });
  row.append(address);
  const status = part("div", "opacity:.8;white-space:pre-wrap;overflow-wrap:anywhere");
  status.setAttribute("role", "status");
  const fault = part("div", "color:var(--jp-error-color1,#b3321a);white-space:pre-wrap");
  fault.setAttribute("role", "alert");
  const page = part("img", "display:block;max-width:100%;background:#fff");
  page.alt = model.get("alt");
  page.draggable = false;
  el.append(row, fault, status, page);

  const isTaken = () => model.get("taken");
  const act = (what) => {
    if (isTaken()) model.send({ act: what });
  };
  /** Returns the place in pixels of the picture. */
  const placeOf = (event) => {
    const box = page.getBoundingClientRect();
    const scale = page.naturalWidth / box.width;
    const along = (at, from) => Math.max(0, Math.round((at - from) * scale));
    return { x: along(event.clientX, box.left), y: along(event.clientY, box.top) };
  };
  page.addEventListener("click", (event) => {
    page.focus({ preventScroll: true });
    act({ kind: "click", ...placeOf(event), count: Math.min(event.detail || 1, 3) });
  });
  page.addEventListener(
    "wheel",
    (event) => {
      if (!isTaken()) return;
      event.preventDefault();
      const right = Math.round(event.deltaX);
      act({ kind: "scroll", ...placeOf(event), right, down: Math.round(event.deltaY) });
    },
    { passive: false },
  );
  page.addEventListener("keydown", (event) => {
    if (!isTaken() || event.isComposing) return;
    const key = keyOf(event);
    if (key === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act(key);
  });
  page.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain");
    if (text) act({ kind: "text", text });
  });

  const draw = () => {
    const taken = isTaken();
    page.src = model.get("picture");
    page.tabIndex = taken ? 0 : -1;
    page.style.outline = taken ? "3px solid var(--jp-brand-color1,#1976d2)" : "none";
    page.style.cursor = taken ? "crosshair" : "default";
    take.hidden = taken || model.get("isOver");
    for (const one of [give, back, address]) one.hidden = !taken;
    if (document.activeElement !== address) address.value = model.get("url");
    status.textContent = model.get("status");
    fault.textContent = model.get("fault");
  };
  model.on("change", draw);
  draw();
  return () => model.off("change", draw);
}

/** Returns what a key does to the page; undefined for keys that are held and such as are nobody's. */
function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  // A paste comes as a text of its own.
  if ((ctrlKey || metaKey) && key.toLowerCase() === "v") return undefined;
  const isPlain = !ctrlKey && !metaKey && !altKey;
  if ([...key].length === 1 && isPlain) return { kind: "text", text: key };
  if ([...key].length !== 1 && !NAMED.has(key)) return undefined;
  const held = [
    ["Control", ctrlKey || metaKey],
    ["Alt", altKey],
    ["Shift", shiftKey],
  ];
  return {
    kind: "key",
    key: [...held.filter(([, is]) => is).map(([name]) => name), key].join("+"),
  };
}

// biome-ignore lint/style/noDefaultExport: anywidget takes a module's default export.
export default inPlaces(render);
