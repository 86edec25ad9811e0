/** Edits a plan as a table, a row a step. The kernel checks it after each change; what is wrong stands below its row. */
import { asking, part, pictureIn } from "./place.js";

const TEXT =
  "width:100%;box-sizing:border-box;padding:.2em .3em;margin:0;resize:vertical;field-sizing:content;min-height:1.9em";
const FAULT = "color:var(--jp-error-color1,#b3321a)";

/** The columns of the table; a cell that is not changed leaves its member of the step as it is. */
const COLUMNS = [
  {
    name: "id",
    hint: "names the step, and what it comes to",
    width: "8%",
    read: ({ id }) => id,
    write: (step, text) => ({ ...step, id: text }),
  },
  {
    name: "step",
    hint: "its title",
    width: "17%",
    read: ({ title }) => title,
    write: (step, text) => ({ ...step, title: text }),
  },
  {
    name: "details",
    hint: "what is to be done",
    width: "auto",
    read: ({ details }) => details,
    // The parts of the old details are not those of the new ones.
    write: ({ notes: _, ...step }, text) => ({ ...step, details: text }),
  },
  {
    name: "who",
    hint: "the agent that does it, or the tool",
    width: "12%",
    read: ({ agent, tool }) => agent ?? tool ?? "",
    write({ agent: _, tool: __, ...step }, text, isTool) {
      if (text === "") return step;
      return isTool(text) ? { ...step, tool: text } : { ...step, agent: text };
    },
  },
  {
    name: "after",
    hint: "the ids of the steps that it waits for: it gets what they came to",
    width: "9%",
    read: ({ depends }) => [depends ?? []].flat().join(", "),
    write({ depends: _, ...step }, text) {
      const depends = text.split(",").flatMap((id) => (id.trim() === "" ? [] : [id.trim()]));
      return depends.length === 0 ? step : { ...step, depends };
    },
  },
  {
    name: "when",
    hint: 'a condition over what steps before came to: price != ""',
    width: "11%",
    read: ({ when }) => when ?? "",
    write: ({ when: _, ...step }, text) => (text === "" ? step : { ...step, when: text }),
  },
  {
    name: "repeat",
    hint: "3 times, every 5m until it is done max 10, each of apples, pears",
    width: "11%",
    read: ({ repeat }) => repeat ?? "",
    write: ({ repeat: _, ...step }, text) => (text === "" ? step : { ...step, repeat: text }),
  },
];

/** `plan` is a plan as JSON; `agents` and `tools` are what its steps may name. `send` gets a plan in which nothing is wrong, as JSON. */
export function planEditor({ model, plan, agents, tools, send }) {
  const el = part("div", "");
  const ask = asking(model);
  const { steps, ...rest } = plan;
  const isTool = (text) =>
    tools.some(
      (name) => name === text || (name.endsWith(".*") && text.startsWith(name.slice(0, -1))),
    ) ||
    (text.includes(".") && !agents.includes(text));
  let rows = [];
  let turn = 0;

  const drawing = part("div", "overflow-x:auto");
  const performers = performerList([...agents, ...tools]);
  const table = part(
    "table",
    "width:100%;min-width:60em;table-layout:fixed;border-collapse:collapse;margin:0;font-size:inherit",
  );
  table.setAttribute("aria-label", "the steps of the plan");
  const body = document.createElement("tbody");
  table.append(headOf(), body);
  const around = part("div", "overflow-x:auto;margin:.3em 0");
  around.append(table);
  const status = part("span", "opacity:.8");
  status.setAttribute("role", "status");
  const add = button("Add a step", "adds a step at the end", () => {
    const row = rowOf({ id: freshId(rows), title: "", details: "" });
    rows.push(row);
    body.append(row.main, row.below);
    row.cells[1].focus();
    void check();
  });
  const sends = button("Send this plan", "sends it, if nothing is wrong with it", async () => {
    const { json, isRight } = await check();
    if (isRight) send(json);
  });
  const foot = part("div", "display:flex;flex-wrap:wrap;gap:.5em;align-items:center");
  foot.append(add, sends, status);
  el.append(drawing, performers, around, foot);
  rows = steps.map(rowOf);
  body.append(...rows.flatMap(({ main, below }) => [main, below]));
  void check();
  return { el, text: planJson, end: () => ask.end() };

  function planJson() {
    return JSON.stringify({ ...rest, steps: rows.map(({ step }) => step) }, null, 2);
  }

  /** Asks the kernel, and shows what is wrong; the answer to an older plan is dropped. */
  async function check() {
    turn += 1;
    const mine = turn;
    const json = planJson();
    sends.disabled = rows.length === 0;
    const { problems, drawing: svg } = await ask({ check: json });
    if (mine !== turn) return { json, isRight: false };
    for (const row of rows) {
      const own = problems.filter(({ step }) => step === row.step.id);
      row.show(own);
    }
    const ids = new Set(rows.map(({ step }) => step.id));
    const others = problems.filter(({ step }) => !ids.has(step)).map(({ text }) => text);
    status.textContent = [statusText(rows.length, problems.length), ...others].join("\n");
    status.style.cssText = problems.length === 0 ? "opacity:.8" : `${FAULT};white-space:pre-wrap`;
    if (svg !== "") drawing.replaceChildren(...pictureIn(svg));
    return { json, isRight: problems.length === 0 && rows.length > 0 };
  }

  function rowOf(step) {
    const row = { step, main: part("tr", "background:none"), below: part("tr", "background:none") };
    row.cells = COLUMNS.map((column) => {
      const cell = cellOf(column, performers.id);
      cell.value = column.read(step);
      cell.addEventListener("input", () => {
        const before = row.step.id;
        const text = cell.value.trim();
        row.step = column.write(row.step, text, isTool);
        if (column.name === "id") renamed(before, text);
      });
      cell.addEventListener("change", () => void check());
      const place = part("td", "padding:.1em;vertical-align:top;text-align:left");
      place.append(cell);
      row.main.append(place);
      return cell;
    });
    const place = part("td", "padding:.1em;white-space:nowrap;vertical-align:top;text-align:right");
    place.append(
      button("▲", "moves the step up", () => move(row, -1)),
      button("▼", "moves the step down", () => move(row, 1)),
      button("✕", "removes the step", () => remove(row)),
    );
    row.main.append(place);
    const fault = part(
      "td",
      `${FAULT};text-align:left;white-space:pre-wrap;padding:.1em .4em .5em`,
    );
    fault.colSpan = COLUMNS.length + 1;
    fault.setAttribute("role", "alert");
    row.below.append(fault);
    row.below.hidden = true;
    row.show = (problems) => {
      fault.textContent = problems.map(({ text }) => text).join("\n");
      row.below.hidden = problems.length === 0;
      for (const [at, { name }] of COLUMNS.entries()) {
        const isWrong = problems.some(({ column }) => column === name);
        row.cells[at].setAttribute("aria-invalid", String(isWrong));
      }
    };
    return row;
  }

  /** Gives the steps that wait for a step its new id. */
  function renamed(before, id) {
    if (before === "" || rows.some(({ step }) => step.id === before)) return;
    for (const row of rows) {
      const { depends, repeat } = row.step;
      if (depends?.includes(before)) {
        row.step = { ...row.step, depends: depends.map((one) => (one === before ? id : one)) };
      }
      if (repeat === `each of ${before}`) row.step = { ...row.step, repeat: `each of ${id}` };
      for (const [at, { name, read }] of COLUMNS.entries())
        if (name === "after" || name === "repeat") row.cells[at].value = read(row.step);
    }
  }

  function move(row, by) {
    const from = rows.indexOf(row);
    const to = from + by;
    if (to < 0 || to >= rows.length) return;
    rows.splice(from, 1);
    rows.splice(to, 0, row);
    const focused = document.activeElement;
    body.append(...rows.flatMap(({ main, below }) => [main, below]));
    focused?.focus();
    void check();
  }

  function remove(row) {
    rows = rows.filter((one) => one !== row);
    row.main.remove();
    row.below.remove();
    add.focus();
    void check();
  }
}

function statusText(steps, problems) {
  if (steps === 0) return "a plan has at least one step";
  const count = steps === 1 ? "1 step" : `${steps} steps`;
  if (problems === 0) return `${count}, and nothing is wrong`;
  return `${count}; ${problems === 1 ? "1 thing is" : `${problems} things are`} wrong`;
}

function headOf() {
  const head = document.createElement("thead");
  const row = document.createElement("tr");
  for (const { name, hint, width } of COLUMNS) {
    const cell = part("th", `text-align:left;padding:.1em .3em;width:${width}`, name);
    cell.scope = "col";
    cell.title = hint;
    row.append(cell);
  }
  row.append(part("th", "width:6.5em"));
  head.append(row);
  return head;
}

/** The field of a cell; for who does a step it offers a list. */
function cellOf({ name, hint }, list) {
  const cell = part(name === "who" ? "input" : "textarea", TEXT);
  if (name === "who") cell.setAttribute("list", list);
  else cell.rows = 1;
  cell.spellcheck = name === "step" || name === "details";
  cell.title = hint;
  cell.setAttribute("aria-label", name);
  cell.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || name === "details") return;
    // It ends the cell, and sends no form.
    event.preventDefault();
    cell.blur();
  });
  return cell;
}

function performerList(names) {
  const list = document.createElement("datalist");
  list.id = `performers-${crypto.randomUUID()}`;
  for (const name of names) {
    const option = document.createElement("option");
    option.value = name;
    list.append(option);
  }
  return list;
}

function freshId(rows) {
  const ids = new Set(rows.map(({ step }) => step.id));
  let number = rows.length + 1;
  while (ids.has(`step${number}`)) number += 1;
  return `step${number}`;
}

function button(label, title, act) {
  const made = part("button", label.length === 1 ? "padding:.25em .4em" : "", label);
  made.type = "button";
  made.title = title;
  made.setAttribute("aria-label", label.length === 1 ? title : label);
  made.addEventListener("click", () => void act());
  return made;
}
