import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { exportGroups } from "../../../kernel/cells/magics/exports-help.ts";
import * as madrigal from "../../../kernel/index.ts";
import { temporaryFolder } from "../../support/child.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

const HELLO = `graph Hello(name: string) returns greeting {
  state { greeting: string }
  run greet = greetings(name) writes greeting
  start -> greet
}`;

test("M125 [NB] every setting has its value and where it came from; one that is set is of this session alone", async () => {
  const notebook = openTestNotebook();
  const first = await notebook.run("%config");
  for (const name of ["model", "docs", "rows", "draw", "home"]) expect(first).toContain(name);
  expect(first).toContain("as each graph says");
  expect(await notebook.run("%config rows 50")).toMatchInlineSnapshot(`
    "result [text/html, text/markdown] setting  value  from     what it is
    rows     50     Cell[2]  the greatest number of rows that a \`%%sql\` cell reads
    %config NAME VALUE sets one for this session, %config NAME --reset takes that back"
  `);
  expect(
    await notebook.run("// what is set\n%config model=rules\n%config MADRIGAL_MODEL"),
  ).toMatchInlineSnapshot(`
    "display [text/html, text/markdown] setting  value  from     what it is
    model    rules  Cell[3]  the model that answers for every alias of a graph
    %config NAME VALUE sets one for this session, %config NAME --reset takes that back
    result [text/html, text/markdown] setting  value  from     what it is
    model    rules  Cell[3]  the model that answers for every alias of a graph
    %config NAME VALUE sets one for this session, %config NAME --reset takes that back"
  `);
  expect(await notebook.run("%config model --reset")).toContain("default");
});

test("the rows of a query are as many as the setting says", async () => {
  const notebook = openTestNotebook();
  await notebook.run("%config rows 3");
  const shown = await notebook.run("%%sql\nSELECT * FROM range(10)");
  expect(shown.split("\n").slice(1, -1)).toEqual(["    0", "    1", "    2"]);
  expect(await notebook.run("%%sql --rows 2 --save few\nSELECT * FROM range(10)")).toMatch(
    / range\n {4}0\n {4}1\nrows 1–2 of 10; /,
  );
  expect(await notebook.run("[few.length, few.isCut]")).toBe("result [ 2, true ]");
});

test("the model of the session answers for every alias, and stops doing so", async () => {
  const notebook = openTestNotebook();
  await notebook.run(`model fast = "nobody/nothing"
graph Ask(q: string) returns answer {
  state { answer: string }
  agent look { model fast; prompt \`\${q}\`; writes answer }
  start -> look
}`);
  const call = 'await Ask.run({ q: "is it?" }).output';
  expect(await notebook.run(call)).toContain("M8103");
  await notebook.run("%config model rules");
  expect(await notebook.run(call)).not.toContain("M8103");
});

test("the runs of the workspace are a table", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("%runs")).toMatchInlineSnapshot(
    `"result [text/html, text/markdown] no runs"`,
  );
  await notebook.run('const greetings = (name: string) => "hello " + name');
  await notebook.run(HELLO);
  await notebook.run('for (const name of ["a", "b"]) await Hello.run({ name }).output');
  expect(await notebook.run("%runs Hello --limit 1")).toMatch(/Hello +succeeded[\s\S]*1 run$/);
  expect(await notebook.run("%runs --status failed")).toContain("no runs");
});

test("%traces shows the runs that others have published beside the own ones, until it is off", async () => {
  const folder = temporaryFolder("madrigal-published-");
  const other = openTestNotebook();
  await other.run('const greetings = (name: string) => "hello " + name');
  await other.run(HELLO);
  await other.run('for (const name of ["a", "b"]) await Hello.run({ name }).output');
  const { session } = other;
  const traces = await session.traces();
  await traces.ingest(session.store);
  expect(await traces.publish(folder)).toEqual({ runs: 2, files: 1 });
  const notebook = openTestNotebook();
  const counted = () =>
    notebook.run("%%sql\nSELECT count(*)::INT AS n, sum(steps)::INT AS steps FROM runs");
  expect(await notebook.run(`%traces ${folder} --since 1d`)).toContain("questions see 2 runs");
  expect(await counted()).toMatch(/2 +2/);
  expect(await notebook.run(`%traces ${folder} --graph Another`)).toContain("questions see 0 runs");
  expect(await notebook.run("%traces off")).toContain("this workspace alone");
  expect(await counted()).toMatch(/0 +NULL/);
  expect(await notebook.run(`%traces ${folder} --since soon`)).toContain("M7510");
  expect(await notebook.run("%traces nowhere")).toContain("M5417");
});

test("M104 %memory shows the entries of memories, those of one user or in one state", async () => {
  const notebook = openTestNotebook();
  await notebook.run("const greetings = (text: string) => text");
  await notebook.run(`memory notes: string
graph Note(text: string) returns text {
  run keep = greetings(text) { store text into notes }
  start -> keep -> end
}`);
  await notebook.run('await Note.run({ text: "lamps at Hell" }, { user: "ann" }).output');
  expect(await notebook.run("%memory notes --user ann")).toMatch(/user ann[\s\S]*lamps at Hell/);
  expect(await notebook.run("%memory --user bob")).toContain("no memory has such an entry");
  expect(await notebook.run("%memory --state proposed")).toContain("no memory has such an entry");
});

test("%answers shows what threads remember, and takes it back: the next run asks again", async () => {
  const notebook = openTestNotebook();
  await notebook.run(`graph Pay() returns ok {
  state { ok: boolean = false }
  human pay { ask \`Pay the bill?\`; writes ok }
  start -> pay -> end
}`);
  expect(await notebook.run("%answers")).toContain("no thread remembers an answer");
  const always = `answers: { pay: { kind: "value", value: true, remember: "thread" } }`;
  await notebook.run(`await Pay.run({}, { thread: "t", ${always} }).output`);
  expect(await notebook.run('await Pay.run({}, { thread: "t" }).output')).toContain("ok: true");
  const listed = await notebook.run("%answers t");
  expect(listed).toContain("Pay.pay");
  expect(listed).toContain("Pay the bill?");
  expect(await notebook.run("%answers other")).toContain("no thread remembers an answer");
  expect(await notebook.run("%answers t x")).toContain("M7504");
  expect(await notebook.run("%answers forget x")).toContain("M5358");
  const [id] = /\b[0-9a-f]{8}\b/.exec(listed) ?? [];
  expect(await notebook.run(`%answers forget ${id}`)).toContain("Pay.pay is taken back");
  expect(await notebook.run("%answers")).toContain("no thread remembers an answer");
  const again = 'await Pay.run({}, { thread: "t" }).output.catch(({ code }) => code)';
  expect(await notebook.run(again)).toContain("M5301");
});

test("help lists all that the package exports, and nothing else", () => {
  const listed = exportGroups.flatMap(({ names }) => Object.keys(names));
  expect(listed.toSorted()).toEqual(Object.keys(madrigal).toSorted());
});

test("help tells what cells are, and of a magic, a word or a code what there is to know", async () => {
  const notebook = openTestNotebook();
  const overview = await notebook.run("%help");
  for (const name of ["%%graph", "%%sql", "%config", "%runs", "%help"])
    expect(overview).toContain(name);
  for (const name of Object.keys(madrigal)) expect(overview).toContain(`\n- \`${name}\` `);
  const paths = [...overview.matchAll(/`([^`]*\/manual\/[\w-]+\.md)`/g)].map(([, path]) => path);
  expect(paths).toHaveLength(2);
  for (const path of paths) expect(existsSync(resolve(path ?? ""))).toBe(true);
  expect(await notebook.run("%help sql")).toContain("--chart");
  expect(await notebook.run("%help each")).toContain("One sub-flow for each item");
  expect(await notebook.run("%help m3520")).toContain("**M3520: a graph no longer fits**");
});

test.each([
  ["%config modl rules"],
  ["%config rows many"],
  ["%config home /tmp"],
  ["%runs --status done"],
  ["%runs --limit"],
  ["%runs Nobody"],
  ["%runs\nconst x = 1"],
  ["%runs\n%confg"],
  ["%help eaach"],
  ["%%sql --char bar\nSELECT 1"],
  ["%%sql --chart pie\nSELECT 1"],
  ["%%sql --chart bar\nSELECT 'a' AS a"],
  ["%%sql --chart bar --x a --y b\nSELECT 'a' AS a, 'b' AS b"],
  ["%%sql --chart bar\nSELECT 'a' AS node, NULL::DOUBLE AS cost_usd"],
  ["%%sql --chart bar --x nodes\nSELECT 'a' AS node, 1 AS runs"],
  ["%%sql --save 2nd\nSELECT 1"],
  ["%%sql SELECT 1"],
  ["%conf"],
])("%s is told at its place, with what there is", async (code) => {
  expect(await openTestNotebook().run(code)).toMatchSnapshot();
});

test("rows are a chart, by their columns or by what the options say", async () => {
  const notebook = openTestNotebook();
  const query = "SELECT * FROM (VALUES ('a', 3, 1.5), ('b', 1, 0.5)) t(node, runs, usd)";
  const chart = async (options: string) => await notebook.run(`%%sql --chart ${options}\n${query}`);
  expect(await chart("bar --title 'runs by node'")).toMatchInlineSnapshot(`
    "result [application/vnd.vegalite.v5+json, image/svg+xml] runs by node: bar chart of 2 marks
      x: node, a, b
      y: runs, 1 to 3"
  `);
  expect(await chart("line --y usd")).toMatchInlineSnapshot(`
    "result [application/vnd.vegalite.v5+json, image/svg+xml] line chart of 2 marks
      x: node, a, b
      y: usd, 0.5 to 1.5"
  `);
  expect(await chart("arc")).toContain("vegalite");
  expect(await chart("histogram --x runs")).toContain("vegalite");
});

test("saved rows are a variable of later cells, with the types of their columns", async () => {
  const notebook = openTestNotebook();
  await notebook.run("%%sql --save costs\nSELECT 'plan' AS node, 2 AS runs, NULL AS usd");
  expect(await notebook.run("costs[0]!.node.toUpperCase() + (costs[0]!.runs + 1)")).toBe(
    "result 'PLAN3'",
  );
  expect(await notebook.run("costs.map(row => row.nod)")).toContain("TS2551");
  expect(await notebook.run("costs[0]!.usd + 1")).toContain("TS2531");
  expect(await notebook.run("%%sql\nSELECT ${costs.length} AS count")).toContain("count");
});
