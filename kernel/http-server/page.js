/** Shows the runs of a server, and one of them: its drawing, its questions, its timeline, its state behind a step. */

const element = (id) => document.querySelector(`#${id}`);
const STATUSES = ["running", "waiting", "paused", "succeeded", "failed", "aborted"];

let events;
let shown;
let after = null;

function part(tag, text = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function say(text, kind = "") {
  element("status").textContent = text;
  element("status").dataset.kind = kind;
}

/** Answers are told in the page; what went wrong stands above the runs. */
async function ask(path, body) {
  const response = await fetch(path, {
    ...(body === undefined
      ? {}
      : {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  const { code, message, hint } = answer.error;
  say(`${code} ${message}${hint === undefined ? "" : ` (${hint})`}`, "fault");
  throw new Error(message);
}

const quietly = (asked) => void asked.catch(() => {});

async function list({ isMore = false } = {}) {
  const query = new URLSearchParams({ limit: "20" });
  if (element("graph").value !== "") query.set("graph", element("graph").value);
  if (element("state").value !== "") query.set("status", element("state").value);
  if (isMore && after !== null) query.set("after", after);
  const { runs, next } = await ask(`/runs?${query}`);
  after = next;
  element("more").hidden = next === null;
  const table = isMore ? element("runs").querySelector("table") : newTable();
  table.append(...runs.map(rowOf));
  if (!isMore) element("runs").replaceChildren(runs.length === 0 ? part("p", "no runs") : table);
}

function newTable() {
  const table = part("table");
  const head = part("tr");
  for (const name of ["run", "graph", "status", "begun", "steps"]) {
    const cell = part("th", name);
    cell.scope = "col";
    head.append(cell);
  }
  table.append(head);
  return table;
}

function rowOf({ run_id: id, graph, status, created_at: begun, steps }) {
  const row = part("tr");
  const link = part("a", id.slice(-8));
  link.href = `#${encodeURIComponent(id)}`;
  const first = part("td");
  first.append(link);
  row.append(first, part("td", graph), part("td", status), part("td", begun.slice(0, 19)));
  row.append(part("td", `${steps}`));
  return row;
}

/** Follows the run that the address names. */
function open() {
  events?.close();
  shown = decodeURIComponent(location.hash.slice(1));
  element("run").hidden = shown === "";
  if (shown === "") return;
  element("timeline").replaceChildren();
  element("state-at").textContent = "";
  element("step").removeAttribute("value");
  events = new EventSource(`/runs/${encodeURIComponent(shown)}/events`);
  events.addEventListener("message", ({ data }) => showEvent(JSON.parse(data)));
  events.addEventListener("end", () => {
    events.close();
    drawSoon();
  });
  drawSoon();
  element("title").focus();
}

function showEvent(event) {
  const text = lineOf(event);
  if (text !== undefined) element("timeline").append(part("li", text));
  drawSoon();
}

function lineOf({ kind, at, label, step, outcome, question, status }) {
  const when = new Date(at).toISOString().slice(11, 23);
  const who = label === undefined ? "" : ` ${label}`;
  if (kind === "attempt.started") return `${when}${who} started`;
  if (kind === "attempt.finished") return `${when}${who} ended${outcome ? `: ${outcome}` : ""}`;
  if (kind === "commit") return `${when}${who} is step ${step}`;
  if (kind === "interrupt.opened") return `${when}${who} asks: ${question}`;
  if (kind === "interrupt.answered") return `${when}${who} was answered`;
  if (kind === "tool.call") return `${when}${who} calls a tool`;
  if (kind.startsWith("run.")) return `${when} ${kind}${status ? `: ${status}` : ""}`;
  return undefined;
}

let due;

/** Four times a second is as much as anybody sees. */
function drawSoon() {
  if (due !== undefined) return;
  due = setTimeout(() => {
    due = undefined;
    quietly(draw());
  }, 250);
}

async function draw() {
  const id = shown;
  const path = `/runs/${encodeURIComponent(id)}`;
  const run = await ask(path);
  if (id !== shown) return;
  element("title").textContent = `${run.graph} ${id.slice(-8)}: ${run.status}`;
  element("output").textContent =
    run.output === null
      ? run.error === undefined
        ? ""
        : `${run.error.code} ${run.error.message}`
      : JSON.stringify(run.output, null, 2);
  const image = new Image();
  image.alt = `${run.graph}: ${run.status}`;
  image.src = `${path}/drawing?at=${Date.now()}`;
  await image.decode().catch(() => {});
  if (id !== shown) return;
  element("drawing").replaceChildren(image);
  showQuestions(path, run.interrupts);
  const range = element("step");
  element("step-label").hidden = run.steps === 0;
  range.max = `${run.steps}`;
  const isOver = ["succeeded", "failed", "aborted"].includes(run.status);
  element("acts").querySelector("[data-act=cancel]").disabled = isOver;
  element("acts").querySelector("[data-act=resume]").disabled =
    run.status === "running" || run.status === "succeeded";
  quietly(list());
}

/** A form that somebody types into stays as it is. */
function showQuestions(path, questions) {
  const forms = element("questions");
  for (const form of [...forms.children])
    if (!questions.some(({ id }) => id === form.dataset.question)) form.remove();
  for (const question of questions) {
    const isThere = [...forms.children].some((form) => form.dataset.question === question.id);
    if (!isThere) forms.append(formOf(path, question));
  }
}

function formOf(path, { id, question, shown: about, options, kind }) {
  const form = part("form");
  form.dataset.question = id;
  const label = part(
    "label",
    about === undefined ? question : `${question} ${JSON.stringify(about)}`,
  );
  const line = part("input");
  line.autocomplete = "off";
  line.id = `answer-${id}`;
  label.htmlFor = line.id;
  const answer = (text) =>
    quietly(
      ask(`${path}/questions/${encodeURIComponent(id)}/answer`, { text }).then(() => {
        form.remove();
        drawSoon();
      }),
    );
  form.append(label);
  const choices =
    options?.map((one) => JSON.stringify(one)) ?? (kind === "approval" ? ["approve", "deny"] : []);
  for (const choice of choices) {
    const button = part("button", choice);
    button.type = "button";
    button.addEventListener("click", () => answer(choice));
    form.append(button);
  }
  if (choices.length === 0 || kind === "approval") form.append(line, part("button", "Answer"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(line.value);
  });
  return form;
}

element("step").addEventListener("input", () => {
  const number = element("step").value;
  element("step-number").textContent = number;
  const id = shown;
  quietly(
    ask(`/runs/${encodeURIComponent(id)}/steps/${number}`).then(({ state }) => {
      if (id === shown) element("state-at").textContent = JSON.stringify(state, null, 2);
    }),
  );
});

element("acts").addEventListener("click", ({ target }) => {
  const { act } = target.dataset;
  if (act === undefined) return;
  const id = shown;
  quietly(ask(`/runs/${encodeURIComponent(id)}/${act}`, {}).then(() => id === shown && open()));
});

for (const status of STATUSES) element("state").append(part("option", status));
element("filter").addEventListener("change", () => quietly(list()));
element("filter").addEventListener("submit", (event) => event.preventDefault());
element("more").addEventListener("click", () => quietly(list({ isMore: true })));
addEventListener("hashchange", open);
setInterval(
  () => after === null && document.visibilityState === "visible" && quietly(list()),
  5000,
);
quietly(list());
open();
