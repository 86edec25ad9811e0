/** A set of remote agents that a planner chooses among. */
import { expect, onTestFinished, test } from "vitest";
import { remoteAgents, Session, scripted } from "../../../runtime/index.ts";
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
