/**
 * Shows a view in each place that the page has for its model, in place of the words there. Only the words are in the
 * notebook: a reader without the model, as after a restart of the kernel, sees them and no error.
 */
export function inPlaces(render) {
  return {
    // anywidget calls it once for each model, also on a page that was reloaded, and calls what it returns at its end.
    initialize({ model }) {
      const selector = `.${CSS.escape(model.get("place"))}`;
      /** The functions that end the view in a place. */
      const shown = new Map();
      const hide = (place) => {
        shown.get(place)?.();
        shown.delete(place);
      };
      const show = (place) => {
        if (shown.has(place)) return;
        // Outputs that are shown again are other elements.
        for (const other of shown.keys()) if (!other.isConnected) hide(other);
        const words = [...place.children];
        for (const word of words) word.hidden = true;
        const el = document.createElement("div");
        place.append(el);
        const end = render({ model, el });
        shown.set(place, () => {
          end();
          el.remove();
          for (const word of words) word.hidden = false;
        });
      };
      const look = (part) => {
        if (part.matches(selector)) show(part);
        for (const place of part.querySelectorAll(selector)) show(place);
      };
      const observer = new MutationObserver((changes) => {
        for (const { addedNodes } of changes) {
          for (const added of addedNodes) if (added instanceof Element) look(added);
        }
      });
      const end = () => {
        observer.disconnect();
        for (const place of [...shown.keys()]) hide(place);
      };
      observer.observe(document.body, { childList: true, subtree: true });
      look(document.body);
      // The kernel that could answer is gone.
      model.on("comm_live_update", end);
      return end;
    },
  };
}

/** Makes an element with a text: texts of models and tools are never HTML. */
export function part(tag, style, text = "") {
  const made = document.createElement(tag);
  made.style.cssText = style;
  made.textContent = text;
  return made;
}

/** Buttons and lines of text as the page has its own; each colour has one for pages that name none. */
export function controlStyle(within) {
  return `
${within} button { font: inherit; padding: .25em .8em; cursor: pointer; border-radius: 3px;
  color: var(--jp-ui-font-color1, inherit); background: var(--jp-layout-color2, transparent);
  border: 1px solid var(--jp-border-color1, currentColor); }
${within} button:hover { background: var(--jp-layout-color3, transparent); }
${within} :is(input:not([type=checkbox]), textarea, select) { font: inherit; color: var(--jp-ui-font-color1, inherit);
  background: var(--jp-layout-color0, transparent); border: 1px solid var(--jp-border-color1, currentColor); border-radius: 3px; }
`;
}

/** Questions to the kernel, each with its answer. */
export function asking(model) {
  const name = crypto.randomUUID();
  const waiting = new Map();
  let count = 0;
  const hear = (content) => {
    waiting.get(content?.answer)?.(content);
    waiting.delete(content?.answer);
  };
  model.on("msg:custom", hear);
  const ask = (content) =>
    new Promise((resolve) => {
      count += 1;
      const id = `${name}-${count}`;
      waiting.set(id, resolve);
      model.send({ ask: id, ...content });
    });
  ask.end = () => model.off("msg:custom", hear);
  return ask;
}

/** The drawing as a part of the page, whose colours it takes; none where the graph can't be laid out. */
export function pictureIn(svg) {
  if (svg === "") return [];
  const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  // Its texts are escaped by the kernel; what could act would be shown in no way.
  const isSafe = [picture, ...picture.querySelectorAll("*")].every(
    ({ localName, attributes }) =>
      !["script", "foreignObject", "a", "image", "parsererror"].includes(localName) &&
      [...attributes].every(({ name }) => !name.startsWith("on") && !name.endsWith("href")),
  );
  return isSafe ? [document.importNode(picture, true)] : [];
}
