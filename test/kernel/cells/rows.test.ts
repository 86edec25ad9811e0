/** Requirement rows whose proof is a notebook: cells, what they show, and what goes over comms. */
import { expect, test } from "vitest";
import { comm } from "../../../kernel/comms/comm-api.ts";
import { withoutRunIds } from "../../support/without-run-ids.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

// The cells of this test's process load a "madrigal" of their own, which has no kernel; so they are given ours.
Object.assign(globalThis, { testComm: comm });

const DRAFT = `graph Draft() returns text, notes {
  state {
    text: string = ""
    notes: string[]
  }
  run write = writes("a") writes text
  run note = notes(text) writes notes
  start -> write -> note -> end
}`;

test("W11 [NB] a cell reads the state of a paused run and edits it; the run goes on with that, and its log says who it was", async () => {
  const { run } = openTestNotebook();
  await run(`const writes = (text: string) => text + "!";
const notes = (text: string) => ["noted " + text];`);
  await run(DRAFT);
  await run('const draft = Draft.debug({}); draft.setBreakpoint("note"); await draft.continue();');
  expect(await run("[draft.status, draft.state.text]")).toContain("[ 'paused', 'a!' ]");
  expect(await run("draft.state.txt")).toContain("TS2551");
  await run('await draft.edit({ text: "b" }, "a better word");');
  expect(await run("draft.state.text")).toContain("'b'");
  await run("await draft.continue();");
  expect(await run("(await draft.output).notes")).toContain("noted b");
  expect(
    await run(`%%sql
SELECT kind, reason, CAST(patches AS VARCHAR) AS patches FROM events WHERE kind LIKE '%edit%'`),
  ).toContain("a better word");
});

const WRITE = `model m = "scripted"
graph Write() returns note, ok {
  state {
    note: string = ""
    ok: boolean = false
  }
  agent write { model m; prompt \`write\`; writes note }
  human sure { ask \`Sure?\`; writes ok }
  start -> write -> sure -> end
}`;

test("M14 [NB] a run's messages go to a front end by a comm: pieces, results, what is asked, how it ended", async () => {
  const { run, sent } = openTestNotebook();
  await run(WRITE);
  await run(`import { scripted } from "madrigal";
import type { comm as Comms } from "madrigal";
const comm: typeof Comms = Reflect.get(globalThis, "testComm");
const line = comm.open("run-events", {});
const options = { models: { m: scripted({ write: ["done"] }) }, answers: { sure: true } };
const writing = Write.run({}, options);
writing.events$.subscribe((event) => line.send(event));
await writing.output;`);
  const events = sent
    .map(({ packet }) => packet)
    .filter(({ kind }) => kind === "message")
    .map(({ data }) => data as { readonly kind: string; readonly status?: string });
  expect(events.map(({ kind }) => kind).join(" ")).toMatchInlineSnapshot(
    `"run.started route.chosen attempt.started model.request model.delta model.response attempt.finished commit route.chosen attempt.started interrupt.opened run.waiting interrupt.answered attempt.finished commit route.chosen run.finished"`,
  );
  expect(events.at(-1)).toMatchObject({ kind: "run.finished", status: "succeeded" });
});

test("M41 [NB] the person is a node among the others: gets a short question, and what they say is read by the next one", async () => {
  const prompts: string[] = [];
  const person = async (prompt: string) => {
    prompts.push(prompt);
    return "Monday";
  };
  const { run } = openTestNotebook(undefined, { person });
  await run("const book = (day: string) => `booked for ${day}`;");
  await run(`graph Trip() returns booked {
  state {
    day: string
    booked: string
  }
  human user "Knows what only the person knows; ask when nothing else can tell." { ask "Which day suits you?"; writes day }
  run book = book(day) writes booked
  start -> user -> book -> end
}`);
  expect(await run("(await Trip.invoke({})).booked")).toContain("booked for Monday");
  expect(prompts).toEqual(["user: Which day suits you? [text] "]);
});

test("A70 [NB] a graph is drawn where it is declared, and its run with the status of each node", async () => {
  const { run } = openTestNotebook(undefined, { isDrawing: true });
  await run(`const writes = (text: string) => text;
const notes = (text: string): string[] => { throw new Error("no " + text); };`);
  const graph = await run(DRAFT);
  const shown = await run("await Draft.run({}).settled();");
  expect(`${graph}\n${withoutIds(shown)}`).toMatchInlineSnapshot(`
    "result [image/svg+xml] graph Draft() returns text, notes
      run write
      run note
      start -> write
      write -> note
      note -> end
    display [image/svg+xml, application/vnd.madrigal.run+json] run RUN of Draft · created · no model called
    update [image/svg+xml, application/vnd.madrigal.run+json] run RUN of Draft · failed (error) · no model called
    1 of 2 node runs done
    node run  status  time  tokens in  tokens out
    write#1   succeeded  TIME          0           0
    note#1    failed  TIME          0           0
    failed: M8301 \`notes\` threw: no a"
  `);
});

function withoutIds(text: string): string {
  const timeless = withoutRunIds(text).replaceAll(/\d+(\.\d+)? m?s\b/g, "TIME");
  // The column is as wide as its longest time.
  return timeless.replaceAll(/ {2,}(time|TIME)\b/g, "  $1");
}
