/** A question of a run as anywidget shows it: what is asked, a line for the answer, and what came of it. */
function render({ model, el }) {
  const part = (tag, style) => {
    const made = document.createElement(tag);
    made.style.cssText = style;
    el.append(made);
    return made;
  };
  const asked = part("div", "font-weight:600;white-space:pre-wrap");
  const shown = part("pre", "margin:.4em 0;max-height:20em;overflow:auto;white-space:pre-wrap");
  const form = part("form", "display:flex;gap:.5em;margin:.4em 0");
  const fault = part("div", "color:#b3321a;white-space:pre-wrap");
  const closed = part("div", "opacity:.7");
  const line = document.createElement("input");
  line.style.cssText = "flex:1;padding:.2em .4em";
  const send = document.createElement("button");
  send.textContent = "Answer";
  form.append(line, send);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    model.send({ answer: line.value });
  });

  // Texts of models and tools: never as HTML.
  const draw = () => {
    asked.textContent = model.get("question");
    shown.textContent = model.get("shown");
    shown.hidden = model.get("shown") === "";
    line.placeholder = model.get("forms");
    form.hidden = !model.get("isOpen");
    form.style.display = model.get("isOpen") ? "flex" : "none";
    fault.textContent = model.get("fault");
    closed.textContent = model.get("closed");
  };
  model.on("change", draw);
  draw();
}

// biome-ignore lint/style/noDefaultExport: anywidget takes a module's default export.
export default { render };
