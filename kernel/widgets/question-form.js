/** Shows a question of a run as a form, and its answer. What is asked stands above it. */
import { controlStyle, inPlaces, part } from "./place.js";

const STYLE = `${controlStyle(".madrigal-question")}
.madrigal-question button:first-of-type { color: #fff; background: var(--jp-brand-color1, #1976d2); border-color: transparent; }
.madrigal-question :is(input:not([type=checkbox]), textarea) { font-family: var(--jp-code-font-family, monospace); }
.madrigal-question textarea { display: block; width: 100%; box-sizing: border-box; margin: 0 0 .4em; padding: .4em; }
`;

function render({ model, el }) {
  el.classList.add("madrigal-question");
  // Keys are for the line: JupyterLab would take Enter for its cell.
  el.dataset.lmSuppressShortcuts = "true";
  const form = part(
    "form",
    "display:flex;flex-wrap:wrap;align-items:center;gap:.5em;margin:.4em 0",
  );
  const fault = part("div", "color:var(--jp-error-color1,#b3321a);white-space:pre-wrap");
  const closed = part("div", "opacity:.7;white-space:pre-wrap");
  el.append(form, fault, closed);
  const style = document.createElement("style");
  style.textContent = STYLE;
  el.append(style);

  const answer = (text) => model.send({ answer: text });
  addChoices(form, { choices: model.get("choices"), answer });
  const editor = addEditor(form, { edited: model.get("edited"), answer });
  const boxes = addBoxes(form, model.get("several"));
  const line = model.get("line") === "none" ? undefined : addLine(form, model.get("hint"));
  if (boxes.length > 0 || line !== undefined) {
    const send = part("button", "", "Answer");
    send.type = "submit";
    form.append(send);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(line === undefined ? listOf(boxes) : answerLine(line.value, model.get("line")));
  });

  const draw = () => {
    form.style.display = model.get("isOpen") ? "flex" : "none";
    if (!model.get("isOpen")) editor?.remove();
    fault.textContent = model.get("fault");
    closed.textContent = model.get("closed");
  };
  model.on("change", draw);
  draw();
  return () => model.off("change", draw);
}

function addChoices(form, { choices, answer }) {
  for (const choice of choices) {
    const button = part("button", "", choice.label);
    button.type = "button";
    button.addEventListener("click", () => answer(choice.answer));
    form.append(button);
  }
}

/** A button that opens the value in an editor: what is sent is the whole value as it stands there then. */
function addEditor(form, { edited, answer }) {
  if (edited === "") return undefined;
  const open = part("button", "", "Edit …");
  open.type = "button";
  open.setAttribute("aria-expanded", "false");
  const editor = part("div", "flex-basis:100%;display:none");
  const text = part("textarea", "");
  text.value = edited;
  text.rows = Math.min(16, edited.split("\n").length + 1);
  text.spellcheck = false;
  text.setAttribute("aria-label", "the value as JSON");
  const send = part("button", "", "Send this value");
  send.type = "button";
  send.addEventListener("click", () => answer(`edit ${text.value}`));
  editor.append(text, send);
  open.addEventListener("click", () => {
    const isOpen = editor.style.display === "none";
    editor.style.display = isOpen ? "block" : "none";
    open.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) text.focus();
  });
  form.append(open, editor);
  return editor;
}

function addBoxes(form, several) {
  return several.map((choice) => {
    const label = part("label", "display:inline-flex;gap:.3em");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.value = choice.answer;
    label.append(box, choice.label);
    form.append(label);
    return box;
  });
}

function addLine(form, hint) {
  const line = part("input", "flex:1;min-width:12em;padding:.2em .4em");
  line.placeholder = hint;
  // JupyterLab's page submits no form by itself.
  line.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.append(line);
  return line;
}

/** A text is an answer whatever it looks like; what is typed is read as in the box below a cell. */
function answerLine(text, line) {
  return line === "text" ? `value ${JSON.stringify(text)}` : text;
}

function listOf(boxes) {
  const ticked = boxes.filter(({ checked }) => checked).map(({ value }) => value);
  return `value [${ticked.join(",")}]`;
}

// biome-ignore lint/style/noDefaultExport: anywidget takes a module's default export.
export default inPlaces(render);
