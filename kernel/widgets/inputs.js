/** Shows an input, or several as a form: each change is told at once, that of a form by its button. */
import { inPlaces, part } from "./place.js";

const FIELD =
  "font:inherit;color:inherit;background:var(--jp-layout-color1,Field);border:1px solid var(--jp-border-color1,#999);border-radius:2px;padding:.2em .4em";
const BUTTON =
  "font:inherit;color:var(--jp-ui-inverse-font-color1,#fff);background:var(--jp-brand-color1,#1976d2);border:0;border-radius:2px;padding:.3em 1em;cursor:pointer";

function render({ model, el }) {
  el.classList.add("madrigal-input");
  const submit = model.get("submit");
  const isForm = submit !== "";
  const form = part(
    "form",
    "display:flex;flex-direction:column;align-items:flex-start;gap:.4em;margin:.3em 0",
  );
  const controls = model.get("fields").map((field) => controlOf(field, isForm ? () => {} : send));
  form.append(...controls.map(({ row }) => row));
  if (isForm) {
    const button = part("button", BUTTON, submit);
    button.type = "submit";
    form.append(button);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isForm && form.reportValidity()) send();
  });
  // JupyterLab's page submits no form by itself.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    form.requestSubmit();
  });
  // Whatever changes the saved output would take the control away under the person's hands.
  el.addEventListener("focusout", ({ relatedTarget }) => {
    if (!el.contains(relatedTarget)) model.send({ done: true });
  });
  el.append(form);
  const draw = () => {
    for (const [at, field] of model.get("fields").entries()) controls[at].draw(field);
  };
  model.on("change", draw);
  draw();
  return () => model.off("change", draw);

  function send() {
    model.send({ values: controls.map(({ read }) => read()) });
  }
}

/** A control with its row, what it says now, and how it shows what the kernel says. */
function controlOf(field, changed) {
  const { kind, label } = field;
  if (kind === "button") return pressed(field, changed);
  const row = part("label", "display:flex;flex-wrap:wrap;align-items:center;gap:.6em");
  const control = kind === "dropdown" ? choices(field) : line(field);
  control.setAttribute("aria-label", label);
  // Keys are for the control: JupyterLab would use them for its cells.
  control.dataset.lmSuppressShortcuts = "true";
  const name = part("span", "min-width:7em", label);
  const shown = part("output", "font-variant-numeric:tabular-nums;min-width:3em");
  row.append(...(kind === "checkbox" ? [control, name] : [name, control]));
  if (kind === "range") {
    row.style.flexWrap = "nowrap";
    row.append(shown);
  }
  const read = () => {
    if (kind === "checkbox") return control.checked;
    if (kind === "dropdown") return [control.selectedIndex];
    if (kind === "range" || kind === "number")
      return control.value === "" ? null : control.valueAsNumber;
    return control.value;
  };
  const tell = () => {
    shown.textContent = control.value;
    if (control.validity.valid) changed();
  };
  control.addEventListener("input", tell);
  const draw = ({ value }) => {
    // What a person is typing is newer than what the kernel says of it.
    const isTyped = document.activeElement === control && kind !== "range" && kind !== "dropdown";
    if (kind === "checkbox") control.checked = value;
    else if (kind === "dropdown") control.selectedIndex = value[0];
    else if (!isTyped && String(value) !== control.value) control.value = value;
    shown.textContent = control.value;
  };
  return { row, read, draw };
}

function pressed(field, changed) {
  const row = part("button", BUTTON, field.label);
  row.type = "button";
  let count = field.value;
  row.addEventListener("click", () => {
    count += 1;
    changed();
  });
  return {
    row,
    read: () => count,
    draw: ({ value }) => {
      count = value;
    },
  };
}

function choices({ labels }) {
  const made = part("select", FIELD);
  for (const label of labels) made.append(part("option", "", label));
  return made;
}

const TYPES = {
  range: "range",
  number: "number",
  date: "date",
  checkbox: "checkbox",
  text: "text",
};

function line({ kind, min, max, step, lines, hint }) {
  const made = part(
    kind === "lines" ? "textarea" : "input",
    kind === "range" || kind === "checkbox" ? "" : FIELD,
  );
  if (kind === "lines") made.rows = lines;
  else made.type = TYPES[kind];
  for (const [name, value] of Object.entries({ min, max, step, placeholder: hint })) {
    if (value !== undefined && value !== null && value !== "") made.setAttribute(name, value);
  }
  if (kind === "text" || kind === "lines") made.style.minWidth = "16em";
  if (kind === "range") made.style.cssText = "flex:0 1 16em;width:16em;min-width:5em";
  return made;
}

// biome-ignore lint/style/noDefaultExport: anywidget takes a module's default export.
export default inPlaces(render);
