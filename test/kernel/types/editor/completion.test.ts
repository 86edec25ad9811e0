/** What editors show at `▮`: names with their types, in each kind of cell. */
import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Notebook } from "../notebook.ts";

const notebook = new Notebook();
afterAll(() => notebook.types.close());

const REVIEW = `type Task = { query: string, why: string }
model fast = "rules"
graph Review(topic: string, width: int = 3) returns report "reviews a topic" {
  state {
    tasks:  Task[] = []
    report: string
  }
  agent plan "splits it" {
    model  fast
    tools  docs.search
    prompt \`Split \${topic}.\`
    writes tasks
    ensure result.every(t => t.query != "") "no query"
  }
  run write = render(topic, tasks) writes report
  start -> plan -> write -> end
}`;

beforeAll(async () => {
  await notebook.run(`/**
 * Writes a report.
 * @param topic what it is about
 */
function render(topic: string, tasks: readonly { query: string }[]): string { return topic + tasks.length }
const person = { name: "Ada", age: 36, "first-born": true };
type Side = "left" | "right" | "lower";
import { join } from "node:path";`);
  expect(await notebook.graph(REVIEW, ["render", "docs", "docs.search"])).toBe("");
});

/** `▮` in the review, where a line is taken away or put in. */
function review(line: string, instead: string): string {
  expect(REVIEW).toContain(line);
  return REVIEW.replace(line, instead);
}

/** The first that are offered, with type and signature. */
async function offered(text: string, count = 3): Promise<readonly string[]> {
  const offset = text.indexOf("▮");
  const { items } = await notebook.types.complete({ code: text.replace("▮", ""), offset });
  return items
    .slice(0, count)
    .map(({ text, type, signature = "" }) => `${text} ${type} ${signature}`.trim());
}

/** The text once the first that is offered was taken. */
async function taken(text: string): Promise<string> {
  const offset = text.indexOf("▮");
  const code = text.replace("▮", "");
  const { items, start, end } = await notebook.types.complete({ code, offset });
  return `${code.slice(0, start)}${items[0]?.text}${code.slice(end)}`;
}

describe("TypeScript", () => {
  test.each([
    ["person.▮", ["age property : number", "name property : string"]],
    ["person.NA▮", ["name property : string"]],
    ["rend▮", ["render function (topic: string, tasks: readonly { query: string; }[]): string"]],
    ["jo▮", ["join alias (...paths: string[]): string"]],
    ['const side: Side = "▮"', ["left string", "lower string", "right string"]],
    [
      "const p: typeof person = { ▮ }",
      ['"first-born" property : boolean', "age property : number", "name property : string"],
    ],
    ["Review.run({ ▮ })", ["topic property : string", "width property : number | undefined"]],
    [
      "const run = Review.run({ topic: '' }); run.state.▮",
      ["report property : string", "tasks property : Task[]", "topic property : string"],
    ],
    ["Review.debug({ topic: '' }).setBreakpoint('▮')", ["plan string", "write string"]],
    ["declare const some: Partial<typeof person>; some.a▮", ["age property : number | undefined"]],
    ["function f(inner: string) { return inn▮ }", ["inner parameter : string"]],
    ["isNa▮", ["isNaN function (number: number): boolean"]],
    ["let part: Parti▮", ["Partial type"]],
    ["retu▮", ["return keyword"]],
    [
      "Object.entries(person).at(0)?.▮",
      ["at method (index: number): string | number | boolean | undefined"],
    ],
  ])("%s", async (text, expected) => {
    const found = await offered(text);
    expect(found.slice(0, expected.length)).toEqual(expected);
  });

  test("what is written of a text or a path is replaced", async () => {
    expect(await taken('const side: Side = "lo▮"')).toBe('const side: Side = "lower"');
    expect(await taken("person.na▮me")).toBe("person.name");
    expect(await taken('import { z } from "zo▮"')).toBe('import { z } from "zod"');
    expect(await taken('import { z } from "node:pat▮"')).toBe('import { z } from "node:path"');
    expect(await taken('import { graph } from "mad▮"')).toBe('import { graph } from "madrigal"');
    expect(await taken('import "./biome.jso▮"')).toBe('import "./biome.json"');
  });

  test("files of the folder are offered as they are imported", async () => {
    mkdirSync("node_modules/.completion", { recursive: true });
    writeFileSync("node_modules/.completion/words.ts", "export const loud = 1;\n");
    expect(await taken('import { loud } from "./node_modules/.completion/wo▮"')).toBe(
      'import { loud } from "./node_modules/.completion/words.ts"',
    );
    // As Node loads it, which strips its types.
    writeFileSync("node_modules/.completion/module.mts", "export const loud = 1;\n");
    expect(await taken('import "./node_modules/.completion/mo▮"')).toContain("/module.mts");
    // The compiler sees the cells in files of its own.
    expect((await notebook.complete('import "./▮"')).filter((one) => one.startsWith("__"))).toEqual(
      [],
    );
    expect(await offered('import { ▮ } from "./node_modules/.completion/words.ts"', 1)).toEqual([
      "loud const : 1",
    ]);
  });
});

describe("graphs", () => {
  test.each([
    [
      "nodes behind an arrow",
      review("start -> plan -> write", "start -> ▮"),
      ["plan agent", "write run", "end keyword"],
    ],
    [
      "nodes that are counted",
      review("start -> plan -> write", "start -> plan -> write when visits(▮"),
      ["plan agent", "write run"],
    ],
    ["models", review("model  fast", "model  ▮"), ["fast model"]],
    [
      "fields",
      review("writes tasks", "writes ▮"),
      ["tasks field : Task[]", "report field : string"],
    ],
    [
      "fields as they were earlier",
      review("writes tasks", "reads earlier ▮; writes tasks"),
      ["tasks field : Task[]", "report field : string"],
    ],
    [
      "functions of cells",
      review("= render(", "= ren▮("),
      ["render function (topic: string, tasks: readonly { query: string; }[]): string"],
    ],
    [
      "members of an item",
      review('t.query != ""', "t.▮"),
      ["query property : string", "why property : string"],
    ],
    [
      "fields in a hole",
      review("${topic}", "${▮}"),
      ["topic parameter : string", "width parameter : int", "tasks field : Task[]"],
    ],
    ["members in a hole", review("${topic}", "${topic.toU▮}"), ["toUpperCase method (): string"]],
    ["tools of a group", review("docs.search", "docs.▮"), ["read", "search", "size", "verify"]],
    [
      "reducers",
      review("Task[] = []", "Task[] = [] via ▮"),
      ["replace reducer", "append reducer", "union reducer"],
    ],
    [
      "members of a context",
      review("model  fast", "model  fast; context { ▮"),
      ["keep member keep: 10 (the turns", "media member", "repeated member"],
    ],
    [
      "members of a context behind others",
      review("model  fast", "model  fast; context { summarize: { at: 4k }, lim▮"),
      ["limit member limit: 110k (the tokens that a call may show"],
    ],
    [
      "members of a summary",
      review("model  fast", "model  fast; context { keep: 3, summarize: { at: 4k, ▮"),
      ["at member", "every member every: 5 (", "by member by: small", "schema member"],
    ],
    ["types", review("report: string", "report: str▮"), ["string type"]],
    [
      "words",
      review("model  fast", "ens▮"),
      ['ensure keyword ensure tasks.length <= 4 "too many"'],
    ],
  ])("%s", async (_what, text, expected) => {
    const found = await offered(text, expected.length);
    expect(found.map((line, index) => line.slice(0, expected[index]?.length))).toEqual(expected);
  });

  test("what is behind the cursor may be missing still", async () => {
    const unfinished = REVIEW.slice(0, REVIEW.indexOf("-> plan"));
    expect(await offered(`${unfinished}-> ▮`, 2)).toEqual(["plan agent", "write run"]);
    expect(
      await taken(
        'import { loud } from "./node_modules/.completion/wo▮"\ngraph G() { start -> end }',
      ),
    ).toContain("words.ts");
  });
});

describe("queries", () => {
  const query = (text: string) => `%%sql\n${text}`;
  test.each([
    ["SELECT * FROM no▮", "node_runs table"],
    ["SELECT dur▮ FROM node_runs", "dur_us column node_runs.dur_us bigint"],
    ["SELECT n.dur▮ FROM node_runs AS n", "dur_us column node_runs.dur_us bigint"],
    ["SELECT node FROM node_runs gro▮", "GROUP keyword"],
    ["SELECT * FROM conv▮", "conversation_messages table"],
    ["SELECT * FROM message_l▮", "message_lineage function (run, message)"],
    ["SELECT node FROM node_runs WHERE node = '▮", "plan agent of Review"],
    ["SELECT node FROM node_runs WHERE node IN ('plan', 'w▮')", "write run of Review"],
    ["SELECT node FROM node_runs WHERE label = 'wr▮'", "write#1 run of Review"],
    ["SELECT * FROM runs WHERE graph = '▮", "Review graph"],
    ["SELECT * FROM runs WHERE status = 'fai▮'", "failed status"],
    ["SELECT * FROM state_changes WHERE field = '▮", "tasks field of Review"],
    ["SELECT output->>'▮' FROM runs", "report field of Review"],
    ["SELECT input->'wi▮' FROM runs", "width parameter of Review"],
    ["SELECT json_extract(output, '$.▮') FROM runs", "report field of Review"],
    ["SELECT last_run('▮", "Review graph"],
    ["FROM blame('x', 'ta▮')", "tasks field of Review"],
    ["FROM conversation('x', 'pl▮')", "plan#1 agent of Review"],
    ["FROM cost_by('mod▮')", "model value"],
    ["SELECT quantile_c▮ FROM runs", "quantile_cont function"],
    ["SELECT list_has_al▮ FROM runs", "list_has_all function (list1, list2)"],
    [
      "SELECT node FROM node_runs WHERE node = 'it''s' AND nod▮",
      "node_run column node_runs.node_run",
    ],
    ["SELECT node -- it's\nFROM node_ru▮", "node_runs table"],
    ["SELECT ${pers▮}", "person const { name: string; age: number;"],
    ["SELECT ${person.na▮}", "name property : string"],
  ])("%s", async (text, expected) => {
    const [first = ""] = await offered(query(text), 1);
    expect(first.replace("const :", "const").slice(0, expected.length)).toBe(expected);
  });
});

describe("magics", () => {
  test.each([
    [
      "%▮",
      [
        "%%graph magic %%graph",
        "%%sql magic %%sql [--chart TYPE] [--save NAME]",
        "%%bash magic %%bash",
      ],
    ],
    ["%ru▮", ["%runs magic"]],
    ["%%sql --▮", ["--chart option --chart TYPE"]],
    ["%%sql --chart ▮", ["bar value", "line value", "area value"]],
    ["%%sql --chart li▮\nSELECT 1", ["line value"]],
    ["%config mo▮", ["model setting the model that answers for every alias of a graph"]],
    ["%config draw ▮", ["on value", "off value"]],
    ["%runs\n%runs --status fa▮", ["failed value"]],
    ["%help M350▮", ["M3501 topic"]],
  ])("%s", async (text, expected) => {
    const found = await offered(text, expected.length);
    expect(found.map((line, index) => line.slice(0, expected[index]?.length))).toEqual(expected);
  });
});

describe("the library", () => {
  test.each([
    [
      'import { Deb▮ } from "madrigal/library"\ngraph G() { start -> end }',
      /^Debate graph graph Debate\(question/,
    ],
    ['import { Debate } from "madrigal/li▮"\ngraph G() { start -> end }', /^library script$/],
    [
      'import { Debate } from "madrigal/library";\nDebate.run({ questi▮ })',
      /^question property : string/,
    ],
    [
      'import { Debate } from "madrigal/library";\nDebate.run({ question: "", sides: [] }, { models: { ju▮ } })',
      /^judge property/,
    ],
  ])("%s", async (text, expected) => {
    expect((await offered(text, 1))[0]).toMatch(expected);
  });
});

describe("inspection", () => {
  test.each([
    ["render▮", "Writes a report."],
    ["render(▮", "function render(topic: string"],
    ["per▮son", "const person: {\n    name: string;\n    age: number;"],
    ["person.na▮me", "(property) name: string"],
    [
      "joi▮n('a')",
      "(alias) (method) PlatformPath.join(...paths: string[]): string\nimport join\n\nJoin all",
    ],
    ["[1].ma▮p(String)", "(method) Array<number>.map(callbackfn: "],
    ["new Ma▮p<string, number>()", "constructor Map<string, number>(iterable?: "],
    ["let side: Si▮de", 'type Side = "'],
    ["function f(inner: string) { return inn▮er }", "(parameter) inner: string"],
    ["render('a', [{ query: ▮", "what it is about"],
    [
      "Rev▮iew.run",
      '// cell\ngraph Review(topic: string, width: int = 3) returns report "reviews a topic"\n  agent plan "splits it"\n  run write',
    ],
    ["%%s▮ql --chart bar", "--save NAME"],
    ["%%sql --cha▮rt bar", "draws the rows: bar, line"],
    ["%%sql\nSELECT dur_us▮ FROM node_runs", "dur_us bigint"],
    ["%%sql\nSELECT 1 FROM node_ru▮ns", "run_id varchar"],
    ["%%sql\nSELECT 1 FROM node_ru▮ns", "`dur_us` is what its attempts took"],
    [
      "%%sql\nFROM blame▮('x', 'y')",
      "blame(run, at_path)\n\nThe writers of a part of the state, newest first",
    ],
    ["%%sql\nSELECT stale▮ FROM events", "Of work that a rewind undid"],
    ["%%sql\nSELECT n▮.node FROM node_runs AS n", "node_runs ("],
    ["%%sql\nSELECT round▮(1.5)", "round("],
    [review("ensure result", "ens▮ure result"), "A condition on the output"],
    [
      review("start -> plan", "start -> plan when vis▮its(plan) < 2"),
      "How often a node has run to its end",
    ],
    [
      review("writes tasks", "reads earl▮ier tasks; writes tasks"),
      "The field as it was before the branches split",
    ],
    [review("run write =", "run wri▮te ="), "writes report: string"],
    [
      review("writes tasks", "writes tas▮ks"),
      "tasks:  Task[] = []\n\na field of Review, written by plan",
    ],
    [review("${topic}", "${top▮ic}"), "topic: string"],
    [review("= render(", "= ren▮der("), "Writes a report."],
    [review("t.query !=", "t.que▮ry !="), "query: string"],
    [review("model  fast\n", "model  fa▮st\n"), 'model fast = "rules"'],
    [
      'import { Deba▮te } from "madrigal/library"\ngraph G() { start -> end }',
      "graph Debate(question: string, sides: string[], rounds: int = 2) returns winner, reason, arguments\n\nSides argue",
    ],
    ['import { Debate } from "madrigal/library";\nDeb▮ate', "winner: string"],
    [review("start -> plan", "sta▮rt -> plan"), ""],
  ])("%#", async (text, expected) => {
    expect((await notebook.inspect(text)) ?? "").toContain(expected);
  });
});
