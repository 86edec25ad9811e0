/** Sessions of `madrigal debug`, as one would read them on a terminal: what was typed, and what came of it. */
import { expect, onTestFinished, test } from "vitest";
import { debugCommands } from "../../../../kernel/debugging/console/debug-commands.ts";
import { helpText } from "../../../../kernel/debugging/console/help-text.ts";
import { begun, newConsole, obey } from "../../../../kernel/debugging/console/obey.ts";
import { type RunOptions, rules, type Scope, Session } from "../../../../runtime/index.ts";
import { temporaryFolder } from "../../../support/child.ts";
import { withoutRunIds } from "../../../support/without-run-ids.ts";

interface Debugging {
  readonly text: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly scope?: Scope;
  readonly options?: RunOptions;
}

/** Debugs the first graph of a text, and gives the session as it stands on the screen. */
async function transcript(of: Debugging, lines: readonly string[]): Promise<string> {
  const cwd = temporaryFolder();
  const session = new Session({ cwd, env: { MADRIGAL_HOME: cwd }, name: "debug" });
  onTestFinished(() => session.close());
  const scope = of.scope ?? {};
  const [graph] = Object.values(session.compile(of.text, { file: "plan.madrigal", scope }));
  if (graph === undefined) throw new Error("no graph");
  const input = of.input ?? {};
  const run = graph.debug(input, of.options);
  const said: string[] = [];
  const console = newConsole(
    { session, run, explore: (options) => graph.explore(input, options) },
    { say: (text) => said.push(text), paint: (_, text) => text },
  );
  await begun(console);
  for (const line of lines) {
    said.push(`(debug) ${line.replaceAll("HERE", cwd)}`);
    await obey(console, line.replaceAll("HERE", cwd)).catch((error) => {
      said.push(`error[${error.code}]: ${error.message}`, `  hint: ${error.hint}`);
    });
  }
  for (const { run: one } of console.runs) await one.dispose();
  return withoutRunIds(said.join("\n"))
    .replaceAll(cwd, "HERE")
    .replaceAll(/"activeMs":\d+/g, '"activeMs":0')
    .replaceAll(/ time: \d.*/g, " time: MS");
}

const SHIP = `model m = "rules"
graph Ship(topic: string) returns notes, ok {
  state {
    notes: string[] = [] via append
    draft: string = "none"
    ok: boolean = false
  }
  graph go = Search(topic) writes notes
  run write = drafted(notes) { writes draft; retry 2 }
  human signoff { ask \`Ship \${draft}?\`; writes ok }
  limit 40 steps
  start -> go -> write -> signoff
}
graph Search(topic: string) returns found {
  state { found: string[] = [] via append }
  agent search { model m; prompt \`Search \${topic}.\`; writes found; tell read }
  agent read { model m; prompt \`Read \${found}.\`; writes found }
  start -> search -> read
}
`;

function shipping(): Debugging {
  let times = 0;
  const drafted = (notes: readonly string[]) => {
    times += 1;
    if (times === 1) throw new Error("no ink");
    return `${notes.length} notes`;
  };
  const found = (text: string) => (text.includes("Read") ? "tea" : "pot");
  const models = { m: rules(({ messages }) => found(JSON.stringify(messages))) };
  return { text: SHIP, input: { topic: "tea" }, scope: { drafted }, options: { models } };
}

test("a condition without an answer is said once, and in a fork again", async () => {
  // The node is tried twice in the first run.
  const said = await transcript(shipping(), [
    "break write if notes[7].length > 0",
    "c",
    "fork 1",
    "c",
  ]);
  const lines = said.split("\n");
  expect(
    lines.map((line) => line.match(/^warning\[M5458\]|^signoff asks/)?.[0] ?? "").join(""),
  ).toBe("warning[M5458]signoff asks".repeat(2));
  const warning = lines.findIndex((line) => line.startsWith("warning"));
  expect(lines.slice(warning, warning + 2)).toMatchInlineSnapshot(`
    [
      "warning[M5458]: the condition of the breakpoint before \`write\` has no answer at write#1, behind step 1: there is no \`length\` here: what stands before it is not written yet (\`notes[7].length > 0\`:1:1)",
      "  hint: it does not hold the run there: \`??\` says what stands for a value that is not written yet, as in \`(notes ?? []).length > 3\`",
    ]
  `);
});

test("breakpoints of each kind, called graphs, an error held before it is decided, back, a fork, a test", async () => {
  const lines = [
    "break go/read if found.length > 0",
    "break go -> write",
    "watch notes",
    "catch error of write",
    "on message hits 9",
    "cost 0.50",
    "bl",
    "c",
    "where",
    "list",
    "inbox",
    "print found.length + 1",
    "p topic",
    "out",
    "c",
    "c",
    "changes",
    "limits 1",
    "delete all",
    "c",
    "back",
    "to 1",
    'set draft = "by hand"',
    "blame draft",
    "blame notes[1]",
    "n",
    "slice draft",
    'fork 1 notes = ["mine"]',
    "runs",
    "n",
    "run 1",
    "c",
    "questions",
    "answer signoff-7 true",
    "c",
    "state",
    "steps",
    "test shipped > HERE/shipped.madrigal",
    "test shipped > HERE/shipped.madrigal",
    "step",
    "diff 2",
    "run 2",
    "abort",
  ];
  expect(await transcript(shipping(), lines)).toMatchSnapshot();
});

test("what is wrong with a line is said, and nothing is done", async () => {
  const lines = ["s", "bre", "st", "frobnicate", "break", "break nowhere", "watch nothing.there"];
  const more = [
    "cost much",
    "print found",
    "print drafted(notes)",
    "run 7",
    "diff",
    "blame",
    "print",
    "set",
    "to -1",
    "list 9",
  ];
  const last = [
    "help explore",
    "explore [",
    "set draft",
    "delete 3",
    "rewind 99",
    "blame nobody",
    "test a b",
  ];
  expect(await transcript(shipping(), [...lines, ...more, ...last])).toMatchSnapshot();
});

test("a race is explored from the console", async () => {
  const text = `graph Race(n: int = 1) returns log {
    state { log: string[] = [] via append }
    run fast = f() writes log
    run slow = f() writes log
    run pick = f() writes log
    start -> [fast, slow]
    [fast, slow] need 1 -> pick
  }`;
  const given = '{"fast": ["fast"], "slow": ["slow"], "pick": ["pick"]}';
  const scope = { f: () => ["x"] };
  const said = await transcript({ text, scope }, [`explore ${given}`, "explore"]);
  expect(said).toMatchSnapshot();
});

test("one of two branches is held by itself while the other goes on", async () => {
  const text = `graph Two(n: int = 1) returns log {
    state { log: string[] = [] via append }
    run left = f("l") writes log
    run right = f("r") writes log
    run last = f("x") writes log
    start -> [left, right] -> last
  }`;
  const scope = { f: (word: string) => [word] };
  const lines = [
    "where",
    "hold left#1",
    "c",
    "steps",
    "hold",
    "release",
    "c",
    "hold",
    "release left#1",
  ];
  expect(await transcript({ text, scope }, lines)).toMatchSnapshot();
});

test("help is one screen of 24 lines and 80 columns, and names every command", () => {
  const lines = helpText().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
  const words = new Set(helpText().match(/[a-z]+/g));
  expect(debugCommands.map(({ names: [name] }) => name).filter((name) => !words.has(name))).toEqual(
    [],
  );
});

test("no two commands are short for the same", () => {
  const names = debugCommands.flatMap((command) => command.names);
  expect(names.length).toBe(new Set(names).size);
});

test("one is counted as one", async () => {
  const text =
    "graph One() returns a { state { a: string }\n run f = g() writes a\n start -> f -> end }";
  const said = await transcript({ text, scope: { g: () => "g" } }, ["explore", "continue"]);
  expect(said).toContain("there is one order: succeeded\n");
  expect(said).toContain("succeeded after 1 step");
  expect(said).not.toContain("1 steps");
});
