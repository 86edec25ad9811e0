/** Shows a table whose rows the kernel has: scrolled, sorted, filtered, searched, summed up, copied. */
import { asking, inPlaces, part } from "./place.js";

const ROW_PX = 26;
const BLOCK = 100;
/** A browser shows no box that is higher than some 30 million pixels. */
const SHOWN_MAX = 1_000_000;
const MARGIN = 20;
const LINE = "1px solid var(--jp-border-color2,rgba(128,128,128,.35))";
const FIELD =
  "font:inherit;color:inherit;background:var(--jp-layout-color1,Field);border:1px solid var(--jp-border-color1,#999);border-radius:2px;padding:.1em .4em";
const CELL =
  "padding:0 .6em;max-width:28em;overflow:hidden;text-overflow:ellipsis;white-space:pre;border:0;";

function render({ model, el }) {
  el.classList.add("madrigal-table-viewer");
  el.style.cssText = "margin:.3em 0;max-width:100%";
  const columns = model.get("columns");
  const chooses = model.get("chooses");
  const view = { of: {}, total: model.get("total"), blocks: new Map(), due: new Set(), turn: 0 };
  view.blocks.set(0, model.get("rows"));
  const ask = asking(model);

  const bar = part(
    "div",
    "display:flex;flex-wrap:wrap;gap:.5em;align-items:center;margin-bottom:.3em",
  );
  const search = field("search", "search all columns");
  const status = part("span", "opacity:.75;font-variant-numeric:tabular-nums;margin-right:auto");
  status.setAttribute("role", "status");
  const fault = part("div", "color:var(--jp-error-color1,#b3321a)");
  const detail = part(
    "pre",
    `display:none;max-height:16em;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;margin:.3em 0;padding:.4em;border:${LINE}`,
  );
  const box = part("div", `overflow:auto;max-height:${14 * ROW_PX}px;border:${LINE}`);
  box.tabIndex = 0;
  box.dataset.lmSuppressShortcuts = "true";
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "rows");
  const table = part(
    "table",
    "border-collapse:collapse;margin:0;color:inherit;font-variant-numeric:tabular-nums;table-layout:auto",
  );
  const { head, summary, drawSort } = headOf({ columns, chooses, ordered, filtered });
  const body = document.createElement("tbody");
  table.append(head, body);
  box.append(table);
  // On a narrow page they go to the next line together.
  const buttons = part("span", "display:inline-flex;flex-wrap:wrap;gap:.5em");
  bar.append(search, status, buttons);
  for (const [label, title, act] of [
    ["|◀", "first rows", () => go(0)],
    ["◀", "page back", () => go(box.scrollTop - pageOf(box))],
    ["▶", "page on", () => go(box.scrollTop + pageOf(box))],
    ["▶|", "last rows", () => go(box.scrollHeight)],
    ["Copy", "copies the rows for a spreadsheet", copy],
    ["CSV", "saves the rows as a file", save],
  ])
    buttons.append(button(label, title, act));
  el.append(
    bar,
    box,
    detail,
    fault,
    part("div", "opacity:.7;font-size:max(11px,.85em)", model.get("note")),
  );

  search.addEventListener(
    "input",
    later(() => changed({ search: search.value })),
  );
  box.addEventListener("scroll", () => requestAnimationFrame(draw));
  body.addEventListener("click", (event) => {
    const cell = event.target.closest?.("td[data-column]");
    if (cell) void open(Number(cell.parentElement.dataset.row), Number(cell.dataset.column));
  });
  body.addEventListener("change", () => {
    if (chooses === "") return;
    const shown = [...body.querySelectorAll("input")];
    const there = new Set(shown.map(({ value }) => Number(value)));
    const kept = chooses === "one" ? [] : model.get("chosen").filter((one) => !there.has(one));
    const ticked = shown.filter(({ checked }) => checked).map(({ value }) => Number(value));
    model.send({ choose: [...kept, ...ticked] });
  });
  // Whatever changes the saved output would take the table away under the person's hands.
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (chooses !== "" && !el.contains(relatedTarget)) model.send({ done: true });
  });
  const redraw = () => draw();
  model.on("change", redraw);
  draw();
  void sumUp();
  // What has been measured while the place was hidden is measured again.
  const sized = new ResizeObserver(() => draw());
  sized.observe(box);
  return () => {
    sized.disconnect();
    model.off("change", redraw);
    ask.end();
  };

  function ordered(column) {
    const { sort } = view.of;
    const isSame = sort?.column === column;
    const next = isSame && sort.isDown ? undefined : { column, isDown: isSame };
    drawSort(next);
    void changed({ sort: next });
  }

  function filtered(filters) {
    void changed({ filters });
  }

  /** Other rows are asked for, and nothing is shown of the old ones. */
  async function changed(part) {
    view.of = { ...view.of, ...part };
    view.turn += 1;
    const { turn } = view;
    status.textContent = "…";
    const { rows, total } = await ask({ from: 0, of: view.of });
    if (turn !== view.turn) return;
    view.total = total;
    view.blocks = new Map([[0, rows]]);
    view.due = new Set();
    box.scrollTop = 0;
    draw();
    if (!("sort" in part)) await sumUp();
  }

  async function sumUp() {
    const { turn } = view;
    const answer = await ask({ summary: true, of: view.of });
    if (turn !== view.turn) return;
    for (const [at, lines] of answer.summary.entries()) {
      summary[at].replaceChildren(...lines.map((line) => part("div", "", line)));
      summary[at].title = lines.join("\n");
    }
  }

  async function need(block) {
    if (view.due.has(block)) return;
    view.due.add(block);
    const { turn, of } = view;
    const { rows } = await ask({ from: block * BLOCK, of });
    if (turn !== view.turn) return;
    view.blocks.set(block, rows);
    view.due.delete(block);
    const [oldest] = view.blocks.keys();
    if (view.blocks.size > 50) view.blocks.delete(oldest);
    draw();
  }

  function draw() {
    const shown = Math.min(view.total, SHOWN_MAX);
    const [names, ...others] = [...head.rows].map(({ offsetHeight }) => offsetHeight);
    const hidden = others.reduce((sum, height) => sum + height, 0);
    // The names stay at the top, the rest of the head goes with the rows.
    const above = Math.max(0, Math.floor((box.scrollTop - hidden) / ROW_PX));
    const below = Math.floor((box.scrollTop + box.clientHeight - names - hidden) / ROW_PX);
    const high = Math.ceil((box.clientHeight || 14 * ROW_PX) / ROW_PX);
    const from = Math.max(0, Math.min(above, shown) - MARGIN);
    const to = Math.min(shown, above + high + MARGIN);
    const chosen = new Set(chooses === "" ? [] : model.get("chosen"));
    const rows = [];
    for (let at = from; at < to; at += 1) {
      const block = Math.floor(at / BLOCK);
      const row = view.blocks.get(block)?.[at % BLOCK];
      if (row === undefined) void need(block);
      rows.push(rowOf(row, { columns, chooses, chosen }));
    }
    // The keyboard's place is not taken away by rows that are drawn again.
    const focused = body.contains(document.activeElement)
      ? document.activeElement.value
      : undefined;
    body.replaceChildren(space(from), ...rows, space(shown - to));
    if (focused !== undefined) body.querySelector(`input[value="${focused}"]`)?.focus();
    const last = Math.min(view.total, Math.max(above + 1, below));
    const all = counted(view.total);
    const cut = view.total > SHOWN_MAX ? `, of which ${counted(SHOWN_MAX)} can be scrolled to` : "";
    status.textContent =
      view.total === 0 ? "no rows" : `rows ${counted(above + 1)}–${counted(last)} of ${all}${cut}`;
    fix();
  }

  /** Columns keep the widths that the first rows gave them. */
  function fix() {
    if (table.style.tableLayout === "fixed" || table.offsetWidth === 0) return;
    const cells = [...head.rows[0].cells];
    const widths = cells.map((cell) => cell.offsetWidth);
    for (const [at, cell] of cells.entries()) cell.style.width = `${widths[at]}px`;
    table.style.width = `${widths.reduce((sum, width) => sum + width, 0)}px`;
    table.style.tableLayout = "fixed";
  }

  function go(top) {
    box.scrollTop = top;
    draw();
  }

  async function open(value, column) {
    const answer = await ask({ value, column, of: view.of });
    detail.textContent = answer.value ?? "";
    detail.style.display = answer.value === undefined ? "none" : "block";
  }

  async function fileOf(file) {
    const answer = await ask({ file, of: view.of });
    fault.textContent = answer.fault ?? "";
    return answer.file;
  }

  async function copy() {
    const text = await fileOf("tsv");
    if (text === undefined) return;
    await navigator.clipboard.writeText(text);
    status.textContent = "copied";
  }

  async function save() {
    const text = await fileOf("csv");
    if (text === undefined) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = "rows.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

function headOf({ columns, chooses, ordered, filtered }) {
  const head = document.createElement("thead");
  const rows = [0, 1, 2].map(() => part("tr", "background:none"));
  const sticky = `position:sticky;z-index:1;background:var(--jp-layout-color1,Canvas);`;
  const filters = {};
  const names = [];
  const summary = [];
  if (chooses !== "") for (const row of rows) row.append(part("th", sticky));
  for (const [at, column] of columns.entries()) {
    const align = column.isNumber ? "right" : "left";
    const name = part("th", `${sticky}top:0;padding:.3em .6em;text-align:${align};max-width:28em`);
    name.scope = "col";
    const sort = button("", `sorts by ${column.name}`, () => ordered(at));
    sort.style.cssText =
      "all:unset;cursor:pointer;font-weight:600;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:pre";
    sort.textContent = column.name;
    name.append(
      sort,
      part("div", "font-weight:normal;opacity:.65;font-size:max(11px,.85em)", column.type),
    );
    names.push([name, sort, column.name]);
    const filter = field("text", "filter");
    // As wide as its column, which is as wide as its rows.
    filter.size = 1;
    filter.style.width = "100%";
    filter.style.boxSizing = "border-box";
    filter.setAttribute("aria-label", `filter ${column.name}`);
    filter.title = "text, > 5, 2..4, = x, != x, null, !null";
    filter.addEventListener(
      "input",
      later(() => {
        filters[at] = filter.value;
        filtered({ ...filters });
      }),
    );
    const below = part("th", `${sticky}padding:0 .4em;font-weight:normal;min-width:6em`);
    below.append(filter);
    const sum = part(
      "td",
      `${CELL}white-space:normal;text-align:${align};vertical-align:top;font-size:max(11px,.85em);opacity:.75;padding-top:.2em;padding-bottom:.2em;border-bottom:${LINE}`,
    );
    sum.dataset.summary = column.name;
    summary.push(sum);
    rows[0].append(name);
    rows[1].append(below);
    rows[2].append(sum);
  }
  head.append(...rows);
  const drawSort = (sort) => {
    for (const [at, [cell, label, name]] of names.entries()) {
      const isSorted = sort?.column === at;
      cell.setAttribute(
        "aria-sort",
        isSorted ? (sort.isDown ? "descending" : "ascending") : "none",
      );
      label.textContent = isSorted ? `${name} ${sort.isDown ? "▼" : "▲"}` : name;
    }
  };
  return { head, summary, drawSort };
}

function rowOf(row, { columns, chooses, chosen }) {
  const made = part("tr", `height:${ROW_PX}px;border-bottom:${LINE}`);
  if (chooses !== "") made.append(choiceOf(row, chooses, chosen));
  if (row === undefined) {
    made.append(...columns.map(() => part("td", CELL, "")));
    return made;
  }
  const [number, ...cells] = row;
  made.dataset.row = number;
  for (const [at, [text, kind, exact]] of cells.entries()) {
    const align = kind === "number" ? "text-align:right;" : "text-align:left;";
    const faint = kind === "null" ? "opacity:.55;font-style:italic;" : "";
    const mono = kind === "json" ? "font-family:var(--jp-code-font-family,monospace);" : "";
    const cell = part("td", `${CELL}${align}${faint}${mono}line-height:${ROW_PX - 2}px`, text);
    cell.dataset.column = at;
    if (exact !== undefined || text.length > 30) cell.title = exact ?? text;
    made.append(cell);
  }
  return made;
}

function choiceOf(row, chooses, chosen) {
  const cell = part("td", "padding:0 .4em;width:1.5em");
  if (row === undefined) return cell;
  const [number] = row;
  const tick = document.createElement("input");
  tick.type = chooses === "one" ? "radio" : "checkbox";
  tick.value = number;
  tick.setAttribute("value", number);
  tick.checked = chosen.has(number);
  tick.setAttribute("aria-label", `row ${number + 1}`);
  cell.append(tick);
  return cell;
}

function space(rows) {
  const row = part("tr", `height:${Math.max(0, rows) * ROW_PX}px;background:none`);
  row.setAttribute("aria-hidden", "true");
  return row;
}

function pageOf(box) {
  const head = box.querySelector("thead")?.rows[0].offsetHeight ?? 0;
  return Math.max(ROW_PX, box.clientHeight - head - ROW_PX);
}

function field(type, hint) {
  const made = part("input", FIELD);
  made.type = type;
  made.placeholder = hint;
  made.setAttribute("aria-label", hint);
  // Keys are for the line: JupyterLab would use them for its cells.
  made.dataset.lmSuppressShortcuts = "true";
  return made;
}

function button(label, title, act) {
  const made = part("button", `${FIELD};cursor:pointer`, label);
  made.type = "button";
  made.title = title;
  made.setAttribute("aria-label", title);
  made.addEventListener("click", () => void act());
  return made;
}

/** Once the typing pauses. */
function later(act) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, 150);
  };
}

function counted(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

// biome-ignore lint/style/noDefaultExport: anywidget takes a module's default export.
export default inPlaces(render);
