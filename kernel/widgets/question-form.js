/** Shows a question of a run as a form, and its answer. What is asked stands above it. */
import { inPlaces, part } from "./place.js";

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

  const answer = (text) => model.send({ answer: text });
  addChoices(form, { choices: model.get("choices"), answer });
  const boxes = addBoxes(form, model.get("several"));
  const line = model.get("line") === "none" ? undefined : addLine(form, model.get("hint"));
  if (boxes.length > 0 || line !== undefined) {
    form.append(part("button", "", "Answer"));
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(line === undefined ? listOf(boxes) : answerLine(line.value, model.get("line")));
  });

  const draw = () => {
    form.style.display = model.get("isOpen") ? "flex" : "none";
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
