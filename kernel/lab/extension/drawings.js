/**
 * Shows the drawings of graphs and runs as a part of the page: in its colours, at first never smaller than one can read, with
 * zoom and pan, and with what the kernel knows of a node that is clicked. JupyterLab itself shows an image.
 */
import { NodePanel, part } from "./node-panel.js";

const SVG = "image/svg+xml";
/** That of JupyterLab's own renderer of SVG. */
const RANK = 80;
const OURS = /^<svg [^>]*\bclass="madrigal-drawing"/;

/** The elements of our drawings; of a picture with others an image is shown, in which nothing acts. */
const ELEMENTS = new Set("svg title desc style g rect path circle text".split(" "));

export const DRAWING_STYLE = `
.madrigal-drawing-view { position: relative; }
.madrigal-drawing-pane { overflow: auto; max-height: 85vh; }
.madrigal-drawing-pane.madrigal-can-move { cursor: grab; }
.jp-RenderedSVG svg.madrigal-drawing, svg.madrigal-drawing { display: block; max-width: none; height: auto; }
.madrigal-drawing-view [data-node] { cursor: pointer; }
.madrigal-drawing-view [data-node]:is(:focus-visible, [aria-expanded=true]) > rect { stroke-width: 3; }
.madrigal-drawing-view [data-node]:focus { outline: none; }
.madrigal-drawing-zoom { position: absolute; right: 6px; top: 6px; display: flex; gap: 2px; opacity: 0; }
.madrigal-drawing-view:is(:hover, :focus-within) > .madrigal-drawing-zoom { opacity: 1; }
.madrigal-drawing-view button { font: inherit; font-size: 12px; line-height: 1; min-width: 22px; padding: 4px 6px; cursor: pointer;
  color: var(--jp-ui-font-color1); background: var(--jp-layout-color1); border: 1px solid var(--jp-border-color1); border-radius: 3px; }
.madrigal-drawing-lines { font-size: var(--jp-ui-font-size1); opacity: .8; overflow-wrap: anywhere; padding: 0 14px; }
.madrigal-node { border-left: 3px solid var(--jp-brand-color1); margin: 6px 0; padding: 2px 10px; max-width: 100%; }
.madrigal-node pre { margin: 2px 0 8px; max-height: 14em; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  font-family: var(--jp-code-font-family); font-size: var(--jp-code-font-size); }
.madrigal-node table { border-collapse: collapse; font-size: var(--jp-ui-font-size1); }
.madrigal-node td, .madrigal-node th { text-align: left; vertical-align: top; padding: 2px 8px 2px 0; overflow-wrap: break-word; }
.madrigal-node td:nth-child(2), .madrigal-node td:nth-child(3) { overflow-wrap: anywhere; min-width: 4em; }
.madrigal-node-head { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; font-weight: 600; }
.madrigal-node-part { opacity: .75; font-size: var(--jp-ui-font-size1); }
`;

/** `kernelOf` finds the kernel of the notebook in which an element stands. */
export function keepDrawings(rendermime, kernelOf) {
  const factory = rendermime.getFactory(SVG);
  if (factory === undefined) return;
  const createRenderer = (options) => {
    const renderer = factory.createRenderer(options);
    const render = renderer.renderModel.bind(renderer);
    let view;
    renderer.renderModel = async (model) => {
      const svg = model.trusted ? drawingOf(model.data[SVG]) : undefined;
      if (svg === undefined) {
        view = undefined;
        return await render(model);
      }
      view ??= new DrawingView(renderer.node, kernelOf);
      view.draw(svg);
    };
    renderer.disposed.connect(() => view?.close());
    return renderer;
  };
  rendermime.addFactory({ ...factory, mimeTypes: [SVG], createRenderer }, RANK);
}

/** The drawing as elements of the page; undefined for what is none of ours, or could act. */
function drawingOf(source) {
  if (typeof source !== "string" || !OURS.test(source)) return undefined;
  const svg = new DOMParser().parseFromString(source, SVG).documentElement;
  const isSafe = [svg, ...svg.querySelectorAll("*")].every(
    ({ localName, attributes }) =>
      ELEMENTS.has(localName) &&
      [...attributes].every(({ name }) => !name.startsWith("on") && !name.endsWith("href")),
  );
  return isSafe ? document.importNode(svg, true) : undefined;
}

/** The lines below the graph, as texts that are as wide as the page; the drawing is left with the graph. */
function linesOf(svg) {
  const [width, height] = svg.dataset.size.split(" ").map(Number);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  // They would give the picture its shape of before.
  for (const side of ["width", "height"]) svg.removeAttribute(side);
  svg.querySelector(":scope > rect")?.removeAttribute("stroke");
  return [...svg.querySelectorAll("[data-caption]")].map((text) => {
    const whole = text.querySelector("title")?.textContent ?? text.textContent;
    text.remove();
    return part("div", "", whole);
  });
}

const SCALE_MAX = 4;
const STEP = 1.25;
/** The share of the window's height that a drawing takes at most, as the pane's style says. */
const HEIGHT_SHARE = 0.85;
/** A pointer that moves less has clicked. */
const MOVED_PX = 4;

class DrawingView {
  #pane = part("div", "madrigal-drawing-pane");
  #lines = part("div", "madrigal-drawing-lines");
  #panel;
  #svg;
  #scale = 1;
  #hasMoved = false;
  /** The place at which the drawing was left; undefined until it was scrolled. */
  #place;
  #isInPage = false;
  #observer = new ResizeObserver(() => this.#enterPage());

  constructor(node, kernelOf) {
    const view = part("div", "madrigal-drawing-view");
    this.#panel = new NodePanel(
      () => kernelOf(node),
      (open) => this.#mark(open),
    );
    view.append(this.#pane, this.#lines, this.#zoomButtons(), this.#panel.element);
    node.replaceChildren(view);
    this.#observer.observe(this.#pane);
    this.#pane.addEventListener("scroll", () => {
      const { scrollLeft: left, scrollTop: top } = this.#pane;
      this.#place = { left, top };
    });
    this.#pane.addEventListener("pointerdown", (event) => this.#drag(event));
    this.#pane.addEventListener("click", (event) => this.#click(event));
    this.#pane.addEventListener("keydown", (event) => this.#key(event));
    this.#pane.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** Shows a drawing in the place of the one before, at its zoom and place. */
  draw(svg) {
    const focused = this.#pane.contains(document.activeElement)
      ? document.activeElement.dataset.node
      : undefined;
    this.#svg = svg;
    svg.removeAttribute("role");
    this.#lines.replaceChildren(...linesOf(svg));
    for (const node of svg.querySelectorAll("[data-node]")) {
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", "0");
      node.setAttribute("aria-label", node.querySelector("title")?.textContent ?? "");
    }
    this.#resize();
    this.#pane.replaceChildren(svg);
    if (focused !== undefined) this.#nodeOf(focused)?.focus({ preventScroll: true });
    this.#panel.refresh(this.#subject());
  }

  close() {
    this.#observer.disconnect();
    this.#panel.close();
  }

  /** The run or the graph that is drawn. */
  #subject() {
    const { run, graph } = this.#svg.dataset;
    return run === undefined ? { graph } : { run };
  }

  #nodeOf(name) {
    return [...this.#svg.querySelectorAll("[data-node]")].find(
      ({ dataset }) => dataset.node === name,
    );
  }

  #mark(open) {
    for (const node of this.#svg.querySelectorAll("[data-node]")) {
      node.setAttribute("aria-expanded", String(node.dataset.node === open));
    }
  }

  /**
   * Scrolls to where the drawing was left, at first to its start. JupyterLab takes cells that are out of sight out of the page,
   * which then forgets how far they were scrolled.
   */
  #enterPage() {
    const isInPage = this.#pane.clientWidth > 0;
    if (isInPage && !this.#isInPage) this.#pane.scrollTo(this.#place ?? this.#startPlace());
    this.#isInPage = isInPage;
  }

  #startPlace() {
    const start = this.#svg.querySelector("[data-start]")?.getBoundingClientRect();
    const pane = this.#pane.getBoundingClientRect();
    if (start === undefined) return { left: 0, top: 0 };
    const { scrollLeft, clientWidth } = this.#pane;
    return { left: scrollLeft + start.x + start.width / 2 - pane.x - clientWidth / 2, top: 0 };
  }

  #resize() {
    this.#svg.style.width = `${this.#svg.viewBox.baseVal.width * this.#scale}px`;
    this.#pane.classList.toggle("madrigal-can-move", this.#scale > 1);
  }

  /** Returns the scale at which all of a large drawing is seen; others are never smaller than their size. */
  #scaleMin() {
    const { width, height } = this.#svg.viewBox.baseVal;
    return Math.min(1, this.#pane.clientWidth / width, (HEIGHT_SHARE * innerHeight) / height);
  }

  /** The point of the drawing at the given place of the pane stays there. */
  #zoomTo(scale, x = this.#pane.clientWidth / 2, y = this.#pane.clientHeight / 2) {
    const before = this.#scale;
    this.#scale = Math.min(SCALE_MAX, Math.max(this.#scaleMin(), scale));
    const { scrollLeft, scrollTop } = this.#pane;
    this.#resize();
    const factor = this.#scale / before;
    this.#pane.scrollLeft = (scrollLeft + x) * factor - x;
    this.#pane.scrollTop = (scrollTop + y) * factor - y;
  }

  #zoomButtons() {
    const row = part("div", "madrigal-drawing-zoom");
    for (const [sign, title, act] of [
      ["−", "Zoom out", () => this.#zoomTo(this.#scale / STEP)],
      ["+", "Zoom in (Ctrl and the wheel)", () => this.#zoomTo(this.#scale * STEP)],
      ["1:1", "Original size", () => this.#zoomTo(1)],
    ]) {
      const button = part("button", "", sign);
      button.type = "button";
      button.title = title;
      button.setAttribute("aria-label", title);
      button.addEventListener("click", act);
      row.append(button);
    }
    return row;
  }

  #wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = this.#pane.getBoundingClientRect();
    const factor = event.deltaY < 0 ? STEP : 1 / STEP;
    this.#zoomTo(this.#scale * factor, event.clientX - left, event.clientY - top);
  }

  #drag(down) {
    this.#hasMoved = false;
    if (down.button !== 0 || down.pointerType === "touch") return;
    const { scrollLeft, scrollTop } = this.#pane;
    const move = (event) => {
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (Math.hypot(x, y) >= MOVED_PX) this.#hasMoved = true;
      if (!this.#hasMoved) return;
      // Else the text under the pointer would be selected.
      getSelection()?.removeAllRanges();
      this.#pane.scrollLeft = scrollLeft - x;
      this.#pane.scrollTop = scrollTop - y;
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  #click(event) {
    const node = event.target.closest("[data-node]");
    if (node !== null && !this.#hasMoved) this.#panel.toggle(this.#subject(), node.dataset.node);
  }

  #key(event) {
    const node = event.target.closest("[data-node]");
    const isClose = event.key === "Escape" && this.#panel.isOpen;
    if (isClose) this.#panel.close();
    else if (node !== null && (event.key === "Enter" || event.key === " ")) {
      this.#panel.toggle(this.#subject(), node.dataset.node);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
