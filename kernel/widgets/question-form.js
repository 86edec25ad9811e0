/** Shows a question of a run as a form, and its answer. What is asked stands above it. */
import { filePicker } from "./file-picker.js";
import { controlStyle, inPlaces, part } from "./place.js";
import { planEditor } from "./plan-editor.js";

const STYLE = `${controlStyle(".madrigal-question")}
.madrigal-question form > button:first-of-type { color: #fff; background: var(--jp-brand-color1, #1976d2); border-color: transparent; }
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
  let buttons = [];
  const drawChoices = () => {
    for (const button of buttons) button.remove();
    buttons = model.get("choices").map((choice) => choiceButton(choice, answer));
    form.prepend(...buttons);
  };
  drawChoices();
  const editors = addEditors(form, { model, answer });
  const boxes = addBoxes(form, model.get("several"));
  const line = model.get("line") === "none" ? undefined : addLine(form, model.get("hint"));
  const picker = addPicker(form, model);
  if (boxes.length > 0 || line !== undefined || picker !== undefined) {
    const send = part("button", "", "Answer");
    send.type = "submit";
    form.append(send);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (picker !== undefined) void picker.send();
    else answer(line === undefined ? listOf(boxes) : answerLine(line.value, model.get("line")));
  });

  const draw = () => {
    form.style.display = model.get("isOpen") ? "flex" : "none";
    if (!model.get("isOpen")) editors.end();
    fault.textContent = model.get("fault");
    closed.textContent = model.get("closed");
  };
  model.on("change:choices", drawChoices);
  model.on("change", draw);
  draw();
  return () => {
    model.off("change:choices", drawChoices);
    model.off("change", draw);
    editors.end();
    picker?.end();
  };
}

function choiceButton(choice, answer) {
  const button = part("button", "", choice.label);
  button.type = "button";
  button.addEventListener("click", () => answer(choice.answer));
  return button;
}

/** Buttons that open the value in an editor, one at a time: the steps of a plan as a table, any value as JSON. */
function addEditors(form, { model, answer }) {
  const edited = model.get("edited");
  const plan = model.get("plan");
  const place = part("div", "flex-basis:100%");
  const send = (text) => answer(`edit ${text}`);
  let close = () => {};
  let text = edited;
  const opens = (label, open) => {
    const button = part("button", "", label);
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => {
      const isOpen = button.getAttribute("aria-expanded") === "true";
      close();
      if (isOpen) return;
      const editor = open();
      button.setAttribute("aria-expanded", "true");
      place.append(editor.el);
      editor.el.querySelector("textarea")?.focus();
      close = () => {
        text = editor.text();
        editor.end?.();
        editor.el.remove();
        button.setAttribute("aria-expanded", "false");
        close = () => {};
      };
    });
    form.append(button);
  };
  if (edited !== "") {
    const editSteps = () => planEditor({ model, plan: planIn(text, edited), ...plan, send });
    if (plan) opens("Edit the steps …", editSteps);
    opens("Edit …", () => jsonEditor(text, send));
    form.append(place);
  }
  return { end: () => close() };
}

/** The plan of an editor's text, or `edited` where the text is no list of steps. */
function planIn(text, edited) {
  try {
    const plan = JSON.parse(text);
    if (plan.steps.every((step) => typeof step === "object" && step !== null)) return plan;
  } catch {
    // It is half written.
  }
  return JSON.parse(edited);
}

/** Sends the whole value as it stands there then. */
function jsonEditor(value, send) {
  const el = part("div", "");
  const text = part("textarea", "");
  text.value = value;
  text.rows = Math.min(16, value.split("\n").length + 1);
  text.spellcheck = false;
  text.setAttribute("aria-label", "the value as JSON");
  const sends = part("button", "", "Send this value");
  sends.type = "button";
  sends.addEventListener("click", () => send(text.value));
  el.append(text, sends);
  return { el, text: () => text.value };
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

function addPicker(form, model) {
  const files = model.get("files");
  if (files === "none") return undefined;
  const isSeveral = files === "several";
  const picker = filePicker({ model, isSeveral, bytesMax: model.get("bytesMax") });
  form.append(picker.el);
  return picker;
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
