/** A run as a file: what SQL says of it elsewhere is what it said here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ArtifactOptions, type Run, Session, scripted } from "../../../runtime/index.ts";
import { newFolder } from "./store.ts";

interface Context {
  artifact(options: ArtifactOptions): Promise<{ readonly id: string }>;
}

const TEXT = `model m = "scripted"
graph Research(question: string) returns report {
  state {
    found: string[] = [] via append
    report: string = ""
  }
  agent search { model m; prompt \`Search \${question}.\`; writes found }
  run keep = kept(found) writes found
  run write = written(found) writes report { tell read as observation }
  run read = seen(inbox) writes found
  start -> search -> keep -> write -> read -> end
}`;

const scope = {
  kept: async (found: readonly string[], ctx: Context) => {
    await ctx.artifact({ name: "search.json", kind: "other", data: found });
    return ["kept"];
  },
  written: async (found: readonly string[], ctx: Context) => {
    await ctx.artifact({ name: "report.md", kind: "report", data: `# ${found.join(", ")}` });
    return "done";
  },
  seen: () => ["read"],
};

function newSession(): Session {
  const session = new Session({ store: "disk", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  return session;
}

async function researched(session: Session): Promise<Run> {
  const [graph] = Object.values(session.compile(TEXT, { scope }));
  if (graph === undefined) throw new Error("no graph");
  const models = { m: scripted({ search: [["a quote"]] }) };
  const run = graph.run({ question: "why" }, { models });
  await run.output;
  return run as Run;
}

const VIEWS = {
  events: "FROM events WHERE run_id = $1 ORDER BY seq, part",
  artifacts: "FROM artifacts WHERE run_id = $1 ORDER BY seq",
  messages: "FROM messages WHERE run_id = $1 ORDER BY seq",
  log: "FROM execution_log WHERE run_id = $1 ORDER BY seq, part",
  runs: "SELECT status, steps, input, output, graph_hash, thread_id FROM runs WHERE run_id = $1",
};

async function told(session: Session, runId: string): Promise<Record<string, unknown>> {
  const traces = await session.traces();
  const rows = Object.entries(VIEWS).map(
    async ([name, sql]) => [name, await traces.query(sql, [runId])] as const,
  );
  return Object.fromEntries(await Promise.all(rows));
}

test("A94 W34 [DB] a run that is exported and imported elsewhere: goal, state, artifacts, messages and log are the same in SQL", async () => {
  const [here, there] = [newSession(), newSession()];
  const run = await researched(here);
  const { file, leftOut } = here.stored.export(run.id, join(newFolder(), "run.madrigal-run"));
  expect(leftOut).toEqual([]);
  expect(there.stored.import(file)).toBe(run.id);
  const before = await told(here, run.id);
  expect(await told(there, run.id)).toEqual(before);
  // What was searched, what was reported, and the log of it, made from its events when it is asked for.
  const names = before.artifacts as { readonly name: string; readonly kind: string }[];
  expect(names.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    "other search.json",
    "report report.md",
  ]);
  const sentences = before.log as { readonly text: string }[];
  expect(sentences.map(({ text }) => text)).toContain("keep#1 made search.json");
  expect(readFileSync(file, "utf8").length).toBeGreaterThan(0);
});
