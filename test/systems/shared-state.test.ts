/** The program of the shared state as somebody changes it: what is refused, what is warned of, and what its world does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check } from "../../dsl/index.ts";
import { scripted } from "../../kernel/index.ts";
import { createHouse } from "../../notebooks/systems/shared-state/house.ts";
import { Session } from "../../runtime/index.ts";
import { workspace } from "../kernel/cli/calling.ts";
import { projectRoot } from "../support/child.ts";
import { madrigal } from "../support/warm/madrigal.ts";

const folder = join(projectRoot, "notebooks/systems/shared-state");
const program = readFileSync(join(folder, "shared-state.madrigal"), "utf8");

/** Each change of the text, with the code and the word that the check then tells. */
const CHANGES = [
  [
    "S01 a role that writes the goal",
    "    writes  plan\n",
    "    writes  plan, goal\n",
    "M3102",
    "goal",
  ],
  [
    "S02 a planner with a tool that acts",
    "tools   house.look",
    "tools   house.go",
    "M4105",
    "house.go",
  ],
  [
    "S06 a writer that merges as the field can't",
    "writes tools, rules",
    "writes tools, rules via sum",
    "M3302",
    "sum",
  ],
  [
    "S08 a key that nobody declared",
    "writes  status, errors?",
    "writes  status, errors?, doubts?",
    "M3101",
    "doubts",
  ],
  [
    "S10 a router that writes",
    "    reads  plan, current_step",
    "    writes rules\n    reads  plan, current_step",
    "M4004",
    "writes",
  ],
  [
    "S17 a plan that is replaced, and a step that stays",
    /\n {4}set {5}current_step = plan\.findIndex.*/,
    "",
    "M3223",
    "current_step",
  ],
  [
    "S19 errors that nobody reads",
    /reads {2}plan.*(?=\n)|\n {6}Errors so far.*|(?<=returns status, observation), errors/g,
    "",
    "M3208",
    "errors",
  ],
  [
    "S21 a status that there is not",
    'status == "completed"',
    'status == "complete"',
    "M3210",
    "complete",
  ],
] as const;

test.each(CHANGES)("%s: told before a run", (_, from, to, code, word) => {
  const effects = {
    "house.look": "none",
    "house.go": "workspace",
    "house.take": "workspace",
  } as const;
  const told = (text: string) =>
    check({ file: "changed", text }, { effects, allowUnreadPrograms: true }).diagnostics;
  expect(told(program)).toEqual([]);
  const changed = program.replace(from, to);
  const found = told(changed).filter((one) => one.code === code);
  expect(found.map(({ message }) => message).join()).toContain(word);
});

test("S20 the state has the nine keys of the design, and what they begin with", () => {
  const [graph] = check(
    { file: "shared-state", text: program },
    { allowUnreadPrograms: true },
  ).graphs;
  const keys = (graph?.fields ?? []).map(({ name, default: begins, reducer }) => {
    const value = begins?.kind === "literal" ? begins.value : begins?.kind;
    return `${name} = ${JSON.stringify(value)}, ${reducer.name}`;
  });
  expect(graph?.params.map(({ name }) => name)).toEqual(["description", "goal"]);
  expect(keys).toEqual([
    'plan = "list", replace',
    "current_step = 0, replace",
    'observation = "list", append',
    'tools = "object", replace',
    'rules = "", replace',
    'status = "in progress", replace',
    'errors = "list", append',
    'outcome = "object", replace',
  ]);
});

test("S22 S23 S25 S26 the world is reset and acted on, its rules asked for once; each observation names its action", async () => {
  const { house, isLit } = createHouse();
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  const { SharedState } = session.compile(program.replace(/^import .*$/m, ""), {
    scope: { house },
  });
  const action = (id: string, tool: string, args: object) => ({ id, tool, args, isDone: false });
  const plan = [
    action("open", "house.go", { to: "cellar" }),
    action("look", "house.go", { to: "kitchen" }),
  ];
  const m = scripted({
    route: ["planning", "acting", "acting", "planning", "analysing"],
    planning: [plan, [action("again", "house.go", { to: "hall" })]] as never,
    acting: plan.flatMap(({ id, tool, args }) => [
      { calls: [{ tool, input: args }] },
      { outcome: { text: `did ${id}`, worked: id === "look" } },
    ]) as never,
    analysing: [{ status: "completed" }],
  });
  const models = { router: m, planner: m, actor: m, analyst: m };
  const run = SharedState?.run({ description: "a house", goal: "none" }, { models });
  const tools: string[] = [];
  run?.events$.subscribe((event) => {
    if (event.kind === "tool.call") tools.push(event.tool);
  });
  const output = (await run?.output) as { readonly observation: readonly object[] };
  expect(tools).toEqual(["house.reset", "house.manual", "house.go", "house.go"]);
  expect(output.observation).toEqual([
    { action: "reset", text: "You are in the hall.", worked: true },
    { action: "open", text: "did open", worked: false },
    { action: "look", text: "did look", worked: true },
  ]);
  expect(run?.state).toMatchObject({
    current_step: 0,
    rules: expect.stringContaining("the key lies in the kitchen"),
  });
  expect(isLit()).toBe(false);
  await session.close();
});

test("S09 S27 the table of the roles comes from the program: who reads and writes what, and how", async () => {
  const home = workspace();
  const { stdout } = await madrigal(["roles", join(folder, "shared-state.madrigal"), "--json"], {
    home,
  });
  const table = JSON.stringify(JSON.parse(stdout));
  for (const role of ["route", "planning", "acting", "analysing"]) expect(table).toContain(role);
  expect(table).toMatch(/observation.{0,80}append/);
});
