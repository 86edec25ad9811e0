/** What a notebook finds again when its kernel was restarted: the folder is the same, nothing of the process is left. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConnection, writeConnection } from "../../../kernel/jupyter/wire/connection.ts";
import { startMadrigal, temporaryFolder } from "../../support/child.ts";
import { connectClient } from "../../support/jupyter-client.ts";

interface Kernel {
  /** Runs a cell; the text that is its result. */
  run(code: string): Promise<string>;
  kill(): Promise<unknown>;
}

/** A kernel of its own in this folder, once these cells have run. */
async function startKernel(home: string, ...cells: readonly string[]): Promise<Kernel> {
  const connection = await createConnection();
  const file = join(temporaryFolder(), "connection.json");
  writeConnection(file, connection);
  const child = startMadrigal(["kernel", file], { home });
  const client = await connectClient(connection);
  const run = async (code: string) => {
    const { reply, iopub } = await client.execute(code);
    expect(reply.content.evalue ?? "").toBe("");
    const result = iopub.findLast(({ header }) => header.msg_type === "execute_result");
    const data = result?.content.data as { readonly "text/plain"?: string } | undefined;
    // A text is shown in single quotes.
    return data?.["text/plain"]?.slice(1, -1) ?? "";
  };
  for (const cell of cells) await run(cell);
  return {
    run,
    kill: async () => {
      client.close();
      child.signal("SIGKILL");
      await child.ended;
    },
  };
}

const PLANNING = `model m = "scripted"
graph Execute(plan: Plan) returns results {
  state { results: Json }
  agent worker(step: Step) "does one thing" { model m; prompt \`\${step.title}: \${step.details}\` }
  graph go = planGraph(plan) writes results
  start -> go -> end
}`;

const MODEL = `import { scripted } from "madrigal";
const m = () => scripted([
  { says: "two voices", when: "Read: the scores" },
  { says: "la, la", when: "Sing: them" },
  { says: "applause", when: "Bow: low" },
]);`;

const SAVE = `import { writeFileSync } from "node:fs";
const plan = { steps: [
  { id: "read", title: "Read", details: "the scores", agent: "worker" },
  { id: "sing", title: "Sing", details: "them", agent: "worker", depends: ["read"] },
] };
writeFileSync("plan.json", JSON.stringify(plan));`;

const LOAD = `import { readFileSync } from "node:fs";
const saved = JSON.parse(readFileSync("plan.json", "utf8"));`;

test("E05 [NB] a plan is saved, the kernel restarted, the plan executed as it is, and modified while it runs", async () => {
  const home = temporaryFolder();
  const first = await startKernel(home, SAVE);
  await first.kill();
  const kernel = await startKernel(home, MODEL, PLANNING, LOAD);
  const said = await kernel.run(
    "JSON.stringify(await Execute.invoke({ plan: saved }, { models: { m: m() } }))",
  );
  expect(said).toBe('{"results":{"read":"two voices","sing":"la, la"}}');
  const modified =
    await kernel.run(`const run = Execute.debug({ plan: saved }, { models: { m: m() } });
await run.step();
await run.modify({ steps: [saved.steps[0], { id: "bow", title: "Bow", details: "low", agent: "worker" }] });
await run.resume();
JSON.stringify(await run.output)`);
  expect(modified).toBe('{"results":{"read":"two voices","bow":"applause"}}');
});

const COUNT = `graph Count() returns said {
  state { said: string[] = [] via append }
  run a = say("a") writes said
  run b = say("b") writes said
  start -> a -> b -> end
}`;

test("E05 A84 [NB] a run goes on after its kernel was killed in the middle of it: what is done is not done again", async () => {
  const home = temporaryFolder();
  const say = (also: string) => `const told: string[] = [];
const say = async (what: string): Promise<string> => { told.push(what); ${also} return what; };`;
  const first = await startKernel(
    home,
    say('if (what === "b") await new Promise(() => {});'),
    COUNT,
  );
  await first.run("const run = Count.debug({}); await run.step();");
  await first.run("void run.resume(); run.status");
  await first.kill();
  const open = 'import { runs } from "madrigal"; const again = runs.last(); await again.resume();';
  const second = await startKernel(home, say(""), COUNT, open);
  const said = await second.run("JSON.stringify([await again.output, told])");
  expect(said).toBe('[{"said":["a","b"]},["b"]]');
});

const STAGE = `graph Stage() returns note {
  state { note: string = "" }
  run write = draft() writes note { ensure note.length > 3 "too short"; approve after }
  start -> write -> end
}`;

test("A97 [NB] a gate that answers by itself approves what is valid; what is not is never put to it, and ends the run", async () => {
  const drafting = `const drafts = ["a first draft", "no"]; const asked: unknown[] = [];
const draft = () => drafts.shift() ?? "";
const gate = (question: { shown?: unknown }) => { asked.push(question.shown); return { kind: "approve" as const }; };`;
  const { run } = await startKernel(temporaryFolder(), drafting, STAGE);
  expect(await run("(await Stage.invoke({}, { answers: gate })).note")).toBe("a first draft");
  const said = await run(`const bad = Stage.run({}, { answers: gate }); await bad.settled();
JSON.stringify([bad.status, bad.failure?.class, asked])`);
  expect(said).toBe('["failed","invalid",["a first draft"]]');
});

test("A97 [NB] a person at the gate refines, then aborts", async () => {
  const drafting = `const drafts = ["a first draft", "a second draft"];
const draft = () => drafts.shift() ?? "";`;
  const { run } = await startKernel(temporaryFolder(), drafting, STAGE);
  const said = await run(`const run = Stage.run({}); await run.continue();
const shown = [run.interrupts[0]?.shown];
await run.answer(run.interrupts[0]?.id ?? "", { kind: "revise", text: "once more" });
await run.continue(); shown.push(run.interrupts[0]?.shown);
await run.abort("enough");
JSON.stringify([shown, run.status, run.reason])`);
  expect(said).toBe('[["a first draft","a second draft"],"aborted","enough"]');
});
