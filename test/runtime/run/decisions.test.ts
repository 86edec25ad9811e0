/** Decisions of a node in runs: `a -> b | c`. */
import { afterEach, expect, test } from "vitest";
import { type Run, type RunEvent, Session, scripted } from "../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

/** Starts the only graph of a text under a script. */
function start(text: string, script: Record<string, unknown>, scope: object = {}): Run {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  sessions.push(session);
  const [graph] = Object.values(session.compile(text, { scope: { ...scope } }));
  if (graph === undefined) throw new Error("no graph");
  const models = { m: scripted(script as Parameters<typeof scripted>[0]) };
  return graph.run({ task: "the task" }, { models });
}

const pathOf = (run: Run) => run.steps.map(({ node }) => node).join(" ");

const desk = `model m = "scripted"
graph Desk(task: string) returns notes {
  state { notes: string[] = [] via append  plan: string = "none" }
  defaults { model m }
  router boss "decides who works next" { reads plan, task; prompt \`Who goes on?\` }
  agent x "does the first half" { prompt \`x \${task}\`; writes notes }
  agent y "does the second half" { prompt \`y \${task}\`; writes notes }
  limit 20 steps
  start -> boss -> x | y "only when x is done" | end
  x | y -> boss
}`;

async function requestsOf(run: Run): Promise<readonly (RunEvent & { kind: "model.request" })[]> {
  const found: (RunEvent & { kind: "model.request" })[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "model.request") found.push(event);
  });
  await run.settled();
  return found;
}

test("a router's model goes on where it says, by the name alone", async () => {
  const script = { boss: ["x", { next: "y" }, '{"next": "end"}'], x: ["one"], y: ["two"] };
  const run = start(desk, script);
  expect(await run.output).toEqual({ notes: ["one", "two"] });
  expect(pathOf(run)).toBe("boss x boss y boss");
});

test("its model sees what it reads, and the names and descriptions of those it may choose", async () => {
  const [first] = await requestsOf(start(desk, { boss: ["end"] }));
  const { messages, output } = (first?.request ?? {}) as { messages?: unknown; output?: unknown };
  expect(output).toMatchObject({ properties: { next: { enum: ["x", "y", "end"] } } });
  const text = JSON.stringify(messages);
  expect(text).toContain("- x: does the first half");
  expect(text).toContain("- y: does the second half; only when x is done");
  expect(text).toContain("plan: none\\ntask: the task\\n\\nWho goes on?");
});

test("a name that is not there is told to it with those that are, in the same conversation", async () => {
  const run = start(desk, { boss: ["nobody", "end"] });
  const [, second] = await requestsOf(run);
  expect(JSON.stringify(second?.request)).toContain("y");
  expect([run.status, pathOf(run)]).toEqual(["succeeded", "boss"]);
});

test("a function chooses with the text that it returns", async () => {
  const text = `graph G(task: string) returns notes {
    state { notes: string[] = [] via append }
    run pick = choose(task)
    run x = note("x") writes notes
    run y = note("y") writes notes
    start -> pick -> x | y | end
  }`;
  const scope = { choose: () => "y", note: (name: string) => [name] };
  const run = start(text, {}, scope);
  expect(await run.output).toEqual({ notes: ["y"] });
});

test("a function that chooses what is not there is an error with the names that are", async () => {
  const text = `graph G(task: string) returns notes {
    state { notes: string[] = [] via append }
    run pick = choose(task)
    run x = note("x") writes notes
    run y = note("y") writes notes
    start -> pick -> x | y
  }`;
  const run = start(text, {}, { choose: () => "z", note: (name: string) => [name] });
  await expect(run.output).rejects.toMatchObject({
    code: "M5204",
    message: expect.stringContaining("there are `x`, `y`"),
  });
});
