/** Shows the owner of an app its visitors and their runs, each with a link to the debugger's view of it. */

const app = document.querySelector("#app");
const places = document.querySelector("#places");
const list = document.querySelector("#visitors");

function part(tag, text = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function runLine(visitor, { run_id: id, short, graph, status }) {
  const line = part("div");
  const link = part("a", `${graph} ${short}`);
  link.href = `/owner/debug?visitor=${visitor}&run=${encodeURIComponent(id)}`;
  line.append(link, ` ${status}`);
  return line;
}

function rowOf({ visitor, since, seen, status, home, runs }) {
  const row = part("tr");
  const cells = part("td", status);
  const at = part("td");
  if (runs.length > 0) at.append(...runs.map((run) => runLine(visitor, run)));
  else at.textContent = home === undefined ? "none" : `kept in ${home}`;
  row.append(part("td", `${visitor}`), part("td", since), part("td", seen), cells, at);
  return row;
}

let shown = "";

async function draw() {
  try {
    const answer = await fetch(app.dataset.events);
    if (!answer.ok) throw new Error(await answer.text());
    const text = await answer.text();
    // A page that is drawn anew takes the keyboard's place away.
    if (text !== shown) show(JSON.parse(text));
    shown = text;
  } catch ({ message }) {
    places.textContent = message;
  }
  setTimeout(draw, 1000);
}

function show({ visitors, taken, max }) {
  places.textContent = `${taken} of ${max} places are taken`;
  const table = part("table");
  const head = part("tr");
  for (const name of ["visitor", "since", "page open", "cells", "runs"]) {
    const cell = part("th", name);
    cell.scope = "col";
    head.append(cell);
  }
  table.append(head, ...visitors.map(rowOf));
  list.replaceChildren(table);
}

void draw();
