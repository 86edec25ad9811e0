/** Shows below a drawing what the kernel tells of one of its nodes, and sets or removes a breakpoint there. */

const TARGET = "madrigal.nodes";

/** Makes an element with a text: texts of models and tools are never HTML. */
export function part(tag, name, text = "") {
  const made = document.createElement(tag);
  if (name !== "") made.className = name;
  made.textContent = text;
  return made;
}

export class NodePanel {
  element = part("div", "madrigal-node");
  #kernelHere;
  #opened;
  #node;
  #comm;

  /** `opened` is told the node that is open, and nothing when none is. */
  constructor(kernelHere, opened) {
    this.#kernelHere = kernelHere;
    this.#opened = opened;
    this.element.hidden = true;
    this.element.setAttribute("role", "region");
    // Keys are for the panel: JupyterLab would use them for its cells.
    this.element.dataset.lmSuppressShortcuts = "true";
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  get isOpen() {
    return this.#node !== undefined;
  }

  toggle(subject, node) {
    const isSame = node === this.#node;
    this.close();
    if (!isSame) this.#open(subject, node);
  }

  close() {
    // That of a kernel that was restarted is gone.
    if (this.#comm?.isDisposed === false) this.#comm.close();
    this.#comm = undefined;
    this.#node = undefined;
    this.element.hidden = true;
    this.element.replaceChildren();
    this.#opened(undefined);
  }

  /** The drawing has changed. */
  refresh(subject) {
    if (this.#node === undefined) return;
    this.#opened(this.#node);
    if (this.#comm?.isDisposed === false) this.#comm.send({ ask: true });
    else this.#open(subject, this.#node);
  }

  #open(subject, node) {
    this.#node = node;
    this.element.hidden = false;
    this.element.setAttribute("aria-label", `node ${node}`);
    this.#opened(node);
    const kernel = this.#kernelHere();
    if (!kernel?.handleComms) {
      this.#show({
        title: node,
        fault: "Without a kernel only the drawing is known: start one and click again.",
      });
      return;
    }
    const comm = kernel.createComm(TARGET);
    this.#comm = comm;
    comm.onMsg = ({ content }) => {
      if (comm === this.#comm) this.#show(content.data);
    };
    comm.onClose = () => {
      if (comm === this.#comm) this.#comm = undefined;
    };
    comm.open({ ...subject, node });
  }

  #show({
    title,
    program = "",
    place = "",
    transcript = [],
    changes = [],
    caption = "",
    breaks,
    fault = "",
  }) {
    const head = part("div", "madrigal-node-head");
    head.append(part("span", "", title));
    if (breaks !== undefined) head.append(this.#breakpoint(breaks));
    const close = part("button", "", "×");
    close.type = "button";
    close.title = "Close";
    close.addEventListener("click", () => this.close());
    head.append(close);
    const parts = [head];
    const add = (name, element) => parts.push(part("div", "madrigal-node-part", name), element);
    if (fault !== "") parts.push(part("pre", "", fault));
    if (program !== "") add("in the program", part("pre", "", program));
    if (place !== "") parts.push(part("div", "madrigal-node-part", place));
    for (const { by, text } of transcript) add(by, part("pre", "", text));
    if (changes.length > 0) parts.push(changesTable(changes));
    if (caption !== "") parts.push(part("div", "madrigal-node-part", caption));
    // What is shown again keeps the keyboard's place.
    const focused = this.element.contains(document.activeElement)
      ? document.activeElement.title
      : "";
    this.element.replaceChildren(...parts);
    if (focused !== "")
      [...this.element.querySelectorAll("button")].find((one) => one.title === focused)?.focus();
  }

  #breakpoint(breaks) {
    const button = part("button", "", breaks ? "● breakpoint" : "○ breakpoint");
    button.type = "button";
    button.title = "Breakpoint before this node";
    button.setAttribute("aria-pressed", String(breaks));
    button.addEventListener("click", () => this.#comm?.send({ breaks: !breaks }));
    return button;
  }
}

const COLUMNS = ["path", "before", "after", "op"];

function changesTable(changes) {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const name of COLUMNS) head.append(part("th", "", name === "op" ? "change" : name));
  const body = table.createTBody();
  for (const change of changes) {
    const row = body.insertRow();
    for (const name of COLUMNS) row.append(part("td", "", change[name]));
  }
  return table;
}
