/** AgentWorld's programs as somebody uses them: with wires, from another process, with a person, with files that agents read. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { check } from "../../dsl/index.ts";
import { agents, clerk, router } from "../../notebooks/systems/agent-world/by-rule.ts";
import { recorded, saying } from "../../notebooks/systems/agent-world/wires.ts";
import * as workshop from "../../notebooks/systems/agent-world/workshop.ts";
import {
  controller,
  type Graph,
  people,
  Session,
  scriptedController,
  tool,
} from "../../runtime/index.ts";
import { projectRoot, temporaryFolder } from "../support/child.ts";

const folder = join(projectRoot, "notebooks/systems/agent-world");
const textOf = (name: string) => readFileSync(join(folder, `${name}.madrigal`), "utf8");

let home = "";
let session: Session;
beforeEach(() => {
  home = temporaryFolder("madrigal-agent-world-");
  session = new Session({ cwd: home, env: { PATH: process.env.PATH, HOME: home } });
  onTestFinished(() => session.close());
});

function compiled(name: string, file = "agent-world"): Graph {
  const options = { file: join(folder, `${file}.madrigal`), scope: { ...workshop } };
  const graph = session.compile(textOf(file), options)[name];
  if (graph === undefined) throw new Error(`no graph is called ${name}`);
  return graph;
}

const GOOD = { isAccepted: true, findings: [] };

test("A04 what agents tell each other has a kind and a type; nothing of it is glued into a prompt that does not ask for it", async () => {
  const run = compiled("Build").run({ task: "a leaflet" }, { scope: agents });
  await run.output;
  const told = run.messages.map(({ sender, receiver, kind, payload }) => [
    `${sender} -> ${receiver}: ${kind}`,
    payload,
  ]);
  expect(told.slice(0, 3)).toEqual([
    ["plan -> code: plan", ["write it", "check that it is whole"]],
    ["code -> review: artifact", "# Madrigals\nFive voices sing on Sunday."],
    ["review -> code: review", { isAccepted: false, findings: ["it names no place"] }],
  ]);
  const prompts = (node: string) =>
    run.session(node).items.flatMap((item) => (item.kind === "instruction" ? [item.text] : []));
  expect(prompts("code").at(-1)).toContain("it names no place");
  expect(prompts("review").join()).not.toContain("check that it is whole");
});

test.each([
  ["a kind that there is not", "tell code as gossip", "M4910"],
  ["a value of another type", "tell code as Fact", "M3241"],
  ["a node that there is not", "tell coder as review", "M2101"],
])("A04 %s is refused before a run", (_, clause, code) => {
  const text = textOf("agent-world").replace(/tell +code as review/, clause);
  const options = { allowUnreadPrograms: true } as const;
  const found = check({ file: "changed", text }, options).diagnostics.map((one) => one.code);
  expect(found).toEqual([code]);
});

test("A117 a contract of controllers, Claude Code, Codex, one operator: the same graph behind both wires", async () => {
  const incomplete = Object.assign(Object.create(agents.codex()), { stream: undefined });
  expect(() => controller(incomplete)).toThrow(/`stream`/);
  const graph = compiled("Build").withAgents({
    plan: saying("codex", home, ["write it"]),
    code: recorded("claude_code", home, "edits", {
      STUB_FILE: "leaflet.md",
      STUB_TEXT: "on Sunday at the library\n",
    }),
    review: saying("codex", home, GOOD),
  });
  const run = graph.run({ task: "a leaflet" }, { answers: () => ({ kind: "approve" }) });
  const updates: string[] = [];
  for await (const { node } of run.stream("updates")) updates.push(node);
  expect(updates).toEqual(["plan", "code", "inspect", "review"]);
  expect(await run.output).toEqual({ text: "edited", review: GOOD });
  expect(readFileSync(join(home, "leaflet.md"), "utf8")).toBe("on Sunday at the library\n");
  const turns = ["plan", "code", "review"].flatMap((node) => run.session(node).turns);
  expect(turns.map((turn) => turn.controller)).toEqual(["codex", "claude_code", "codex"]);
  expect(run.artifacts).toMatchObject([{ name: "leaflet.md", producer: "code" }]);
  const traces = await session.traces();
  const rows = await traces.query(
    `SELECT node_runs.label, controller FROM node_runs JOIN agent_actions USING (run_id) WHERE run_id = '${run.id}' AND node_runs.node = 'code' LIMIT 1`,
  );
  expect(rows).toMatchObject([{ label: "code#1", controller: "claude_code" }]);
});

test("A117 invoke, checkpoints and resume: another session goes on where the first one stood", async () => {
  const graph = compiled("Build");
  const input = { task: "a leaflet" };
  const whole = await graph.invoke(input, { scope: agents });
  const held = graph.debug(input, { scope: agents });
  await held.step();
  await held.step();
  expect(held.steps.map(({ node }) => node)).toEqual(["plan", "code"]);
  await session.close();
  session = new Session({ cwd: home, env: { PATH: process.env.PATH, HOME: home } });
  const found = session.open("last", { scope: { ...agents, ...workshop } });
  await found.resume();
  expect(await found.output).toEqual(whole);
  expect(found.steps.map(({ node }) => node).join(" ")).toBe(
    "plan code inspect review code inspect review",
  );
  await found.rewind(1);
  expect(found.state).toMatchObject({ text: "", steps: ["write it", "check that it is whole"] });
});

test("A84 a run with agents of its own keeps them where the program was compiled without", async () => {
  const wires = {
    plan: saying("codex", home, ["write it"]),
    code: recorded("claude_code", home, "paced"),
    review: saying("codex", home, GOOD),
  };
  const held = compiled("Build").withAgents(wires).debug({ task: "five things" });
  await held.step();
  await session.close();
  session = new Session({ cwd: home, env: { PATH: process.env.PATH, HOME: home } });
  compiled("Build");
  const found = session.open("last");
  await found.resume();
  expect(await found.output).toEqual({ text: "all done", review: GOOD });
  expect(found.session("plan").turns).toHaveLength(1);
});

test("A118 what V1 leaves open is there: OpenClaw by its name, a cache, retries, a person, five streams", async () => {
  const text = textOf("agent-world")
    .replace("check(text) writes faults", "check(text) writes faults { cache 1d by text }")
    .replace(/(operator review[^}]*?controller )codex\([^)]*\)/, "$1openclaw()");
  expect(text).toContain("openclaw()");
  expect(check({ file: "changed", text }, { allowUnreadPrograms: true }).diagnostics).toEqual([]);
  const claude = scriptedController([
    { fails: { class: "transport", reason: "busy", message: "overloaded" } },
    { says: "Five voices sing on Sunday at the library." },
  ]);
  let checks = 0;
  const inspected = tool(
    () => {
      checks += 1;
      return [];
    },
    { effect: "none" },
  );
  const openclaw = agents.codex;
  const scope = { ...workshop, check: inspected };
  const { AgentWorld } = session.compile(text, {
    file: join(folder, "agent-world.madrigal"),
    scope,
  });
  const begun = () =>
    AgentWorld?.run(
      { task: "a leaflet" },
      { models: { router }, scope: { ...agents, openclaw, claude_code: () => claude } },
    );
  for (const _ of ["checked", "from the cache"]) {
    const run = begun();
    if (run === undefined) throw new Error("no graph is called AgentWorld");
    await run.settled();
    expect(run.interrupts.map(({ node }) => node)).toEqual(["sign"]);
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: true });
    expect(await run.output).toMatchObject({ tray: expect.stringMatching(/^tray \d+$/) });
    for (const mode of ["values", "updates", "messages", "events", "debug"] as const) {
      let heard = 0;
      for await (const _ of run.stream(mode)) heard += 1;
      expect(heard, mode).toBeGreaterThan(0);
    }
  }
  expect(checks).toBe(1);
  const traces = await session.traces();
  const rows = await traces.query(
    "SELECT attempts FROM node_runs WHERE node = 'build/code' ORDER BY run_id, node_run",
  );
  expect(rows).toEqual([{ attempts: 2 }, { attempts: 1 }]);
});

test("A116 research asks first, then goes through eight stages; each is shown, one is done again, and what was taken is known later", async () => {
  const takes = { kind: "approve" } as const;
  const person = people.script({
    reply: ["for singers"],
    perform: [takes, { kind: "revise", text: "say what you assume" }, ...Array(7).fill(takes)],
  });
  const graph = compiled("AutoResearch", "auto-research");
  const run = graph.run(
    { goal: "How many voices?" },
    { models: { clerk }, scope: agents, answers: person },
  );
  const { summaries, answers } = await run.output;
  expect(answers).toEqual([{ question: "For whom is it?", answer: "for singers" }]);
  expect((summaries as { stage: string }[]).map(({ stage }) => stage)).toEqual([
    ...["literature", "hypothesis", "design", "implementation"],
    ...["experimentation", "analysis", "writing", "dissemination"],
  ]);
  // The person's changes were told in the same session; the later stages know the accepted result.
  expect(summaries).toContainEqual({ stage: "hypothesis", text: "as told: say what you assume" });
  const turns = run.session("perform").items.filter(({ kind }) => kind === "instruction");
  expect(turns.at(-1)).toMatchObject({
    text: expect.stringMatching(/literature done for singers.*as told: say what you assume/s),
  });
});

test("A120 what the team knows lies in a file of the workspace, which a node writes and an agent of the command line reads", async () => {
  const text = `import { note } from "./note.ts"
graph Team(known: string[]) returns read {
  state { file: string = ""  read: string = "" }
  run keep = note(known) writes file
  operator code { controller ${recorded("claude_code", home, "file")}; prompt \`What the team knows is in the file \${file}. Read it.\`; writes read }
  start -> keep -> code -> end
}`;
  const note = (known: readonly string[]) => {
    mkdirSync(join(home, "docs"));
    const file = join(home, "docs", "todo.md");
    writeFileSync(file, known.map((one) => `- ${one}\n`).join(""));
    return file;
  };
  const { Team } = session.compile(text.replace(/^import .*$/m, ""), { scope: { note } });
  const known = ["five voices", "on Sunday"];
  const output = await Team?.run({ known }).output;
  // The agent says how much it has read.
  expect(output).toEqual({ read: `${"- five voices\n- on Sunday\n".length}` });
});
