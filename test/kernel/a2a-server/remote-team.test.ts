/** A set of remote agents that a planner chooses among. */
import { expect, onTestFinished, test } from "vitest";
import { remoteAgents, Session, scripted } from "../../../runtime/index.ts";
import { openTestNotebook, useTypes } from "../cells/notebook.ts";
import { served, TOKEN } from "./serving.ts";

const voices = `graph Singer(text: string) returns sung "sings a text" {
  state { sung: string }
  run shout = shout(text) writes sung
  start -> shout -> end
}
graph Counter(text: string) returns counted "counts" {
  state { counted: int }
  run count = lengthOf(text, 1) writes counted
  start -> count -> end
}`;

useTypes();

function withToken() {
  process.env.A2A_TEAM = TOKEN;
  onTestFinished(() => {
    delete process.env.A2A_TEAM;
  });
  return { auth: "A2A_TEAM" };
}

test("E12 remote agents are found by their cards, and a planner gives its steps to them", async () => {
  const { url } = await served(voices);
  const remote = await remoteAgents([url("Singer"), url("Counter")], withToken());
  expect(remote.text).toBe("Singer: sings a text\nCounter: counts");
  expect(remote.list[0]?.skills).toEqual([
    { name: "Singer", description: expect.stringContaining("sings a text; takes text") },
  ]);
  const session = new Session({ store: "memory", env: {} });
  onTestFinished(() => session.close());
  const { Team } = session.compile(
    `model m = "scripted"
    graph Team(task: string, agents: string) returns results {
      limit 50 steps
      state { plan: Plan  results: Json }
      agent planner { model m; prompt \`Plan: \${task}. Agents: \${agents}\`; writes plan }
      ${remote.declarations}
      graph go = planGraph(plan) writes results
      start -> planner -> go -> end
    }`,
    { scope: { remote: remote.controllers } },
  );
  const steps = [
    { id: "sing", title: "Sing", details: "la", agent: "Singer" },
    { id: "count", title: "Count", details: "it", agent: "Counter", depends: ["sing"] },
  ];
  const m = scripted([{ says: { steps }, when: "Counter: counts" }]);
  const run = Team?.run({ task: "a song", agents: remote.text }, { models: { m } });
  expect(await run?.output).toEqual({
    results: { sing: expect.stringContaining("SING: LA"), count: expect.anything() },
  });
});

test("E12 two agents of one name are an error, unless they are named or the later one is to win", async () => {
  const [one, two] = [await served(voices), await served(voices)];
  const auth = withToken();
  const urls = [one.url("Singer"), two.url("Singer")];
  await expect(remoteAgents(urls, auth)).rejects.toMatchObject({ code: "M5215" });
  await expect(remoteAgents(urls.slice(1), { ...auth, taken: ["Singer"] })).rejects.toMatchObject({
    code: "M5215",
  });
  const named = await remoteAgents({ first: urls[0] ?? "", second: urls[1] ?? "" }, auth);
  expect(Object.keys(named.controllers)).toEqual(["first", "second"]);
  const { list } = await remoteAgents(urls, { ...auth, override: true });
  expect(list.map(({ url }) => url)).toEqual([`${urls[1]}`]);
});

test("E12 [NB] a set of remote agents is a table, each is a node of the drawing, and a clash says what to do", async () => {
  const { url } = await served(voices);
  const options = withToken();
  const session = new Session({ store: "memory", env: {} });
  onTestFinished(() => session.close());
  // The cells of this test's process load a "madrigal" of their own, whose classes are not ours.
  const compile = (text: string, scope: Readonly<Record<string, unknown>>) =>
    session.compile(text, { scope });
  const urls = [url("Singer"), url("Counter")];
  Object.assign(globalThis, { testMadrigal: { remoteAgents, compile, urls, options } });
  const { run } = openTestNotebook();
  await run(`import type * as Madrigal from "madrigal";
interface Given {
  remoteAgents: typeof Madrigal.remoteAgents;
  compile: (text: string, scope: object) => ReturnType<typeof Madrigal.compile>;
  urls: string[];
  options: Parameters<typeof Madrigal.remoteAgents>[1];
}
const { remoteAgents, compile, urls, options } = Reflect.get(globalThis, "testMadrigal") as Given;`);
  const withoutPort = (shown: string) => shown.replaceAll(/:\d{2,5}\//g, ":PORT/");
  expect(
    withoutPort(await run("const remote = await remoteAgents(urls, options);\nremote")),
  ).toMatchInlineSnapshot(`
    "result [text/html, text/markdown] agent    does          skills   at
    Singer   sings a text  Singer   http://127.0.0.1:PORT/Singer
    Counter  counts        Counter  http://127.0.0.1:PORT/Counter
    2 remote agents: a plan's steps name them"
  `);
  expect(await run(GRAPH_CELL)).toMatchInlineSnapshot(`
    "result [image/svg+xml] graph Team(plan) returns results
      operator Singer(step, before): sings a text
      operator Counter(step, before): counts
      graph go
      start -> go
      go -> end"
  `);
  expect(
    withoutPort(await run("const one = await remoteAgents([...urls, urls[0]], options);")),
  ).toMatchInlineSnapshot(`
    "error M5215: two agents are called \`Singer\`: at http://127.0.0.1:PORT/Singer and at http://127.0.0.1:PORT/Singer
    error[M5215]: two agents are called \`Singer\`: at http://127.0.0.1:PORT/Singer and at http://127.0.0.1:PORT/Singer
      ┌─ Cell[4]:1:13
    1 │ const one = await remoteAgents([...urls, urls[0]], options);
      │             ^^^^^^^^^^^^^^^^^^
      at async Cell[4]:1:13
      hint: name them: \`remoteAgents({ Singer: "…", Singer_2: "…" })\`, or write \`override: true\`"
  `);
});

const GRAPH_CELL = `const { Team } = compile(\`graph Team(plan: Plan) returns results {
  limit 50 steps
  state { results: Json }
  \${remote.declarations}
  graph go = planGraph(plan) writes results
  start -> go -> end
}\`, { remote: remote.controllers });
Team`;
