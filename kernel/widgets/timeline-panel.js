/** Shows the timeline of a run: a slider over its places, one place, and buttons for the run. */
import { inPlaces, part, pictureIn } from "./place.js";

function render({ model, el }) {
  el.classList.add("madrigal-timeline");
  el.setAttribute("role", "group");
  const head = part("div", "font-weight:600;overflow-wrap:anywhere");
  const buttons = addButtons(model);
  const slider = addSlider(model);
  const place = part("div", "font-weight:600;margin:.5em 0 .2em");
  place.setAttribute("aria-live", "polite");
  const fault = part("div", "color:var(--jp-error-color1,#b3321a);white-space:pre-wrap");
  fault.setAttribute("role", "alert");
  const note = part("div", "opacity:.8;white-space:pre-wrap;overflow-wrap:anywhere");
  note.setAttribute("role", "status");
  const drawing = part("div", "overflow-x:auto");
  const transcript = part("div", "margin:.5em 0");
  const changes = part("div", "overflow-x:auto");
  const style = part("style", "", STYLE);
  el.append(style, head, buttons.row, slider.row, fault, note, place, drawing, changes, transcript);

  const draw = () => {
    const page = model.get("page");
    head.textContent = model.get("head");
    head.title = model.get("run");
    el.setAttribute("aria-label", `timeline of ${model.get("head")}`);
    place.textContent = page.title;
    place.dataset.place = page.index;
    fault.textContent = model.get("fault");
    note.textContent = model.get("note");
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", page.alt);
    drawing.replaceChildren(...pictureIn(page.drawing));
    transcript.replaceChildren(...page.transcript.map(entryPart));
    changes.replaceChildren(changesPart(page));
    buttons.draw();
    slider.draw();
  };
  model.on("change", draw);
  draw();
  return () => model.off("change", draw);
}

/** As the page's own; each colour has one for pages that name none. */
const STYLE = `
.madrigal-timeline button { font: inherit; padding: .25em .8em; cursor: pointer; border-radius: 3px;
  color: var(--jp-ui-font-color1, inherit); background: var(--jp-layout-color2, transparent);
  border: 1px solid var(--jp-border-color1, currentColor); }
.madrigal-timeline button:hover { background: var(--jp-layout-color3, transparent); }
.madrigal-timeline svg { display: block; max-width: none; }
`;

/** Keeps the arrow keys of a control for itself: JupyterLab would use them for its cells. */
function withKeys(control) {
  control.dataset.lmSuppressShortcuts = "true";
  return control;
}

const BUTTONS = [
  ["back", "Back", "undoes the last step of the run"],
  ["step", "Step", "performs one step of the run"],
  ["continue", "Continue", "continues the run to its next stop"],
  ["rewind", "Rewind here", "rewinds the run to this place"],
  ["fork", "Fork here", "starts a new run from this place, held there"],
];

function addButtons(model) {
  const row = part("div", "display:flex;flex-wrap:wrap;gap:.4em;margin:.4em 0");
  const made = BUTTONS.map(([act, label, title]) => {
    const button = withKeys(part("button", "", label));
    button.type = "button";
    button.title = title;
    button.dataset.act = act;
    button.addEventListener("click", () => model.send({ act }));
    row.append(button);
    return [act, button];
  });
  const draw = () => {
    const isBusy = model.get("busy") !== "";
    for (const [act, button] of made) {
      const isForth = act === "step" || act === "continue";
      // Not `disabled`: that would take the keyboard's place away while the run goes on.
      button.setAttribute("aria-disabled", String(isBusy || (isForth && model.get("isOver"))));
      button.style.opacity = button.getAttribute("aria-disabled") === "true" ? ".5" : "1";
    }
  };
  row.addEventListener(
    "click",
    (event) => {
      if (event.target.getAttribute?.("aria-disabled") === "true") event.stopPropagation();
    },
    true,
  );
  return { row, draw };
}

/** One place is asked for at a time: a slider that is dragged asks for where it is once the last answer is there. */
function addSlider(model) {
  const row = part("label", "display:flex;gap:.6em;align-items:center");
  const slider = withKeys(part("input", "flex:1;min-width:8em"));
  slider.type = "range";
  slider.min = 0;
  slider.step = 1;
  slider.setAttribute("aria-label", "place in the run");
  const where = part("span", "font-variant-numeric:tabular-nums;white-space:nowrap");
  row.append(slider, where);
  let asked;
  let answered = model.get("page").answer;
  const tell = (text) => {
    const last = model.get("places") - 1;
    where.textContent = `${slider.value} of ${last}`;
    slider.setAttribute("aria-valuetext", text);
  };
  slider.addEventListener("input", () => {
    tell(`place ${slider.value}`);
    if (asked === undefined) model.send({ go: Number(slider.value) });
    asked = Number(slider.value);
  });
  const draw = () => {
    const page = model.get("page");
    slider.max = model.get("places") - 1;
    if (asked !== undefined && page.answer !== answered && page.index !== asked) {
      const isThere = asked < model.get("places");
      if (isThere) model.send({ go: asked });
      else asked = undefined;
    } else if (page.answer !== answered || asked === undefined) asked = undefined;
    answered = page.answer;
    if (asked !== undefined) return;
    slider.value = page.index;
    tell(page.title);
  };
  return { row, draw };
}

function entryPart({ by, text }) {
  const row = part("div", "margin:.3em 0");
  const pre = part(
    "pre",
    "margin:.1em 0 0 1em;max-height:16em;overflow:auto;white-space:pre-wrap",
    text,
  );
  row.append(part("span", "opacity:.7;font-size:max(11px,.85em)", by), pre);
  return row;
}

const COLUMNS = ["path", "before", "after", "op"];

function changesPart({ changes, caption }) {
  const table = part("table", "border-collapse:collapse;color:inherit");
  const told = part("caption", "text-align:left;opacity:.7;caption-side:bottom", caption);
  table.append(told);
  if (changes.length === 0) return table;
  const head = document.createElement("tr");
  const line = "padding:.2em .8em .2em 0;text-align:left;vertical-align:top;overflow-wrap:anywhere";
  for (const name of COLUMNS) {
    const cell = part("th", line, name === "op" ? "change" : name);
    cell.scope = "col";
    head.append(cell);
  }
  table.append(head);
  for (const change of changes) {
    const row = part("tr", "border-top:1px solid rgba(128,128,128,.35)");
    for (const name of COLUMNS) row.append(part("td", line, change[name]));
    table.append(row);
  }
  return table;
}

// biome-ignore lint/style/noDefaultExport: anywidget takes a module's default export.
export default inPlaces(render);
