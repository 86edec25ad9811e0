/** What functions and tools make to be kept: stored under its hash, a run's with the commit of whoever made it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  type ArtifactOptions,
  type Run,
  type RunEvent,
  Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

interface Context {
  artifact(options: ArtifactOptions): Promise<{ readonly id: string }>;
}

function session(store: "disk" | "memory" = "memory"): Session {
  const home = mkdtempSync(join(tmpdir(), "madrigal-artifacts-"));
  cleanups.push(() => rmSync(home, { recursive: true, force: true }));
  const made = new Session({ store, env: { MADRIGAL_HOME: home } });
  cleanups.push(() => made.close());
  return made;
}

function start(of: Session, text: string, scope: object, script = {}): Run {
  const [graph] = Object.values(of.compile(text, { scope: { ...scope } }));
  if (graph === undefined) throw new Error("no graph");
  return graph.run({}, { models: { m: scripted(script) } });
}

const text = `graph G() returns seen {
  state { seen: string[] = [] via append }
  run write = report() writes seen { tell read as artifact }
  run read = look(artifacts, inbox) writes seen
  start -> write -> read -> end
}`;

const report = async (ctx: Context) => {
  const made = await ctx.artifact({
    name: "report.md",
    kind: "report",
    path: "out/report.md",
    data: "# Hi",
  });
  return [made.id];
};

const look = (artifacts: readonly object[], inbox: readonly { artifacts: readonly string[] }[]) => [
  ...artifacts.map((one) => JSON.stringify(one)),
  ...inbox.flatMap((message) => message.artifacts),
];

test("W06 A122 an artifact has its id, name, kind, MIME, path, size and producer; nodes that follow see it", async () => {
  const run = start(session(), text, { report, look });
  const { seen } = await run.output;
  expect(run.artifacts).toEqual([
    {
      id: expect.stringMatching(/^report\.md@[\da-f]{12}$/),
      name: "report.md",
      kind: "report",
      mime: "text/markdown",
      path: "out/report.md",
      hash: expect.stringMatching(/^[\da-f]{64}$/),
      bytes: 4,
      producer: "write",
      nodeRun: 0,
    },
  ]);
  const [made = "", shown = "", attached] = seen as readonly string[];
  expect(JSON.parse(shown)).toEqual({
    id: made,
    name: "report.md",
    kind: "report",
    mime: "text/markdown",
    path: "out/report.md",
    bytes: 4,
    producer: "write",
  });
  expect(attached).toBe(made);
  expect(new TextDecoder().decode(run.artifact(made))).toBe("# Hi");
});

test("A122 a kind that is none is refused with those that there are", async () => {
  const bad = (ctx: Context) => ctx.artifact({ name: "x", kind: "reprot" as "report", data: "" });
  const run = start(session(), text, { report: bad, look });
  await expect(run.output).rejects.toMatchObject({
    code: "M5330",
    message: expect.stringContaining("did you mean `report`?"),
  });
  expect(run.artifacts).toEqual([]);
});

test("what an attempt made that did not commit is no artifact of the run", async () => {
  let tries = 0;
  const flaky = async (ctx: Context) => {
    tries += 1;
    await ctx.artifact({ name: `try-${tries}.txt`, kind: "file", data: "x" });
    if (tries === 1) throw new Error("not yet");
    return ["done"];
  };
  const retried = text.replace("{ tell read as artifact }", "{ retry 1 }");
  const run = start(session(), retried, { report: flaky, look: () => [] });
  await run.output;
  expect(run.artifacts.map(({ name }) => name)).toEqual(["try-2.txt"]);
});

test("a tool can make them too, and a chart is a value", async () => {
  const draw = tool(
    async (_: object, { artifact }) => {
      await artifact({ name: "prices", kind: "chart", data: { mark: "bar" } });
      return "drawn";
    },
    { effect: "none", input: { type: "object" } },
  );
  const agent = `model m = "scripted"
graph G() returns seen {
  state { seen: string = "" }
  agent a { model m; tools draw; prompt \`draw\`; writes seen }
  start -> a
}`;
  const run = start(session(), agent, { draw }, { a: [{ calls: [{ tool: "draw" }] }, "ok"] });
  await run.output;
  const [chart] = run.artifacts;
  expect(chart).toMatchObject({
    name: "prices",
    kind: "chart",
    mime: "application/json",
    producer: "a",
  });
  const events: RunEvent[] = [];
  run.events$.subscribe((event) => void events.push(event));
  expect(events.filter(({ kind }) => kind === "artifact.created")).toMatchObject([
    { node: "a", step: 1, artifact: { id: chart?.id } },
  ]);
});

test("W31 what items make says for which item it is", async () => {
  const each = `graph G() returns seen {
  state { seen: string[] = [] via append }
  run work(i: string) = keep(i) writes seen
  start -> each i of ["a", "b"] { work(i) }
}`;
  const keep = async (i: string, ctx: Context) => {
    await ctx.artifact({ name: `${i}.txt`, kind: "file", data: i });
    return [i];
  };
  const run = start(session(), each, { keep });
  await run.output;
  const items = run.artifacts.map(({ name, item }) => [name, item]);
  expect(items.toSorted()).toEqual([
    ["a.txt", 0],
    ["b.txt", 1],
  ]);
});

test("W19 a file that was deleted is told, not passed over", async () => {
  const of = session("disk");
  const run = start(of, text, { report, look });
  await run.output;
  const [artifact] = run.artifacts;
  const id = artifact?.id ?? "";
  expect(run.artifact(id)).toHaveLength(4);
  rmSync(join(of.workspace.dataDir, "artifacts"), { recursive: true });
  expect(() => run.artifact(id)).toThrow(expect.objectContaining({ code: "M5332" }));
  expect(() => run.artifact("nothing")).toThrow(expect.objectContaining({ code: "M5331" }));
});

test("W06 the view `artifacts` has them by their producer", async () => {
  const of = session("disk");
  const run = start(of, text, { report, look });
  await run.output;
  const traces = await of.traces();
  const rows = await traces.query(
    "SELECT name, kind, mime, bytes::INTEGER AS bytes, node, step FROM artifacts WHERE node = 'write'",
  );
  expect(rows).toEqual([
    { name: "report.md", kind: "report", mime: "text/markdown", bytes: 4, node: "write", step: 1 },
  ]);
});

const lists = async (ctx: Context) => {
  const people = [
    { name: "Ann", age: 41 },
    { name: "Ben", age: 1.5, at: null },
  ];
  await ctx.artifact({ name: "people.json", kind: "file", path: "out/people.json", data: people });
  const table = 'name,"what, else"\nAnn,"a\nb"\nBen,c\n';
  await ctx.artifact({ name: "table.csv", kind: "file", data: table });
  await ctx.artifact({ name: "odd.json", kind: "file", data: "{ no json" });
  return ["made"];
};

test("A93 [DB] the index of artifacts has kind, path, size, time, count and the schema worked out from what is in them", async () => {
  const on = session("disk");
  const checked = text.replace("{ tell read as artifact }", '{ ensure seen.length > 0 "made" }');
  const run = start(on, checked, { report: lists, look: () => [] });
  await run.output;
  const traces = await on.traces();
  const rows = await traces.query(
    `SELECT name, kind, path, mime, bytes, items, value_schema, ts IS NOT NULL AS dated
    FROM artifacts WHERE run_id = $1 ORDER BY name`,
    [run.id],
  );
  const person = {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "number" }, at: { type: "null" } },
    required: ["name", "age"],
  };
  const row = { type: "string" };
  const line = { type: "object", properties: { name: row, "what, else": row } };
  expect(rows).toEqual([
    {
      ...{ name: "odd.json", kind: "file", path: null, mime: "application/json", bytes: 9 },
      ...{ items: null, value_schema: null, dated: true },
    },
    {
      ...{ name: "people.json", kind: "file", path: "out/people.json", mime: "application/json" },
      ...{ bytes: 60, items: 2, value_schema: { type: "array", items: person }, dated: true },
    },
    {
      ...{ name: "table.csv", kind: "file", path: null, mime: "text/csv", bytes: 34, items: 2 },
      value_schema: {
        type: "array",
        items: { ...line, required: ["name", "what, else"] },
      },
      dated: true,
    },
  ]);
});
