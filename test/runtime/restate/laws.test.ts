/** Random programs come to the same on Restate as here: the same commits, each with the same output, and the same end. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ir } from "../../../dsl/index.ts";
import { digest } from "../../../runtime/debug/sample-output.ts";
import { type LogRecord, Session } from "../../../runtime/index.ts";
import { innermost } from "../../../runtime/records/records.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { missing } from "../../support/python-env.ts";
import { restateHere } from "../../support/restate/runs-here.ts";
import { sampleOf } from "../../support/run-graph.ts";

const reason = await missing("restate");

const SEED = Number(process.env.MADRIGAL_FUZZ_SEED ?? Date.now() % 100_000);
const PROGRAMS = process.env.CI === undefined ? 6 : 20;

/** The same output for the same node and arguments, of the type of what the node writes; one in fifty calls fails. */
function functionOf(graph: () => Ir | undefined) {
  return (name: string, ...more: readonly unknown[]): unknown => {
    const asked = `${name} ${JSON.stringify(more.slice(0, -1))}`;
    if (digest(asked) % 50 === 0) throw new Error(`${name} is broken`);
    const node = graph()?.nodes.find((one) => one.name === name);
    return sampleOf(node, asked);
  };
}

/** Returns the part of a log that does not depend on the order in which parallel branches finished. */
function commitsOf(records: readonly LogRecord[]): readonly string[] {
  const keys = new Map<number, string>();
  const commits: string[] = [];
  for (const record of records) {
    const inner = innermost(record);
    if (inner.kind === "start") keys.set(inner.id, `${inner.node}@${inner.key}`);
    if (inner.kind !== "commit") continue;
    const { id, attempt, output, writes } = inner;
    commits.push(JSON.stringify([keys.get(id), attempt, output, writes]));
  }
  return commits.sort();
}

describe.skipIf(reason !== undefined)("on Restate", () => {
  const here = restateHere();

  test(`${PROGRAMS} random programs have the commits, the state and the end that they have here`, async () => {
    const texts = Array.from({ length: PROGRAMS }, (_, at) => {
      const programs = fc.noBias(arbitraryGraph({ functions: [`work${at}`] }));
      const [text = ""] = fc.sample(programs, { numRuns: 1, seed: SEED + at });
      return text.replace(/^model m.*\n/, "").replace("graph Made(", `graph Made${at}(`);
    });
    const graphs: Ir[] = [];
    const functions = texts.map((_, at) => [`work${at}`, functionOf(() => graphs[at])]);
    const session = new Session({ store: "memory", env: {} });
    const program = `model m = "rules"\n${texts.join("\n")}`;
    const served = await here.serve(program, Object.fromEntries(functions), { session });
    graphs.push(...Object.values(served.graphs).map(({ ir }) => ir));
    const ends: string[] = [];
    for (const graph of Object.values(served.graphs)) {
      const { runId, summary } = await served.run(graph.name, { n: 2 });
      const run = graph.run({ n: 2 });
      await run.output.catch(() => {});
      await served.pull(runId);
      const pulled = session.open(runId);
      expect(summary.status, graph.name).toBe(run.status);
      expect(pulled.replay()).toMatchObject({ ok: true });
      ends.push(run.status);
      // Which branches had finished when one failed is a matter of chance.
      if (run.status !== "succeeded") continue;
      expect(commitsOf(served.records(runId)), graph.name).toEqual(
        commitsOf(served.records(run.id)),
      );
      expect(pulled.state).toEqual(run.state);
    }
    expect(ends.filter((end) => end === "succeeded").length).toBeGreaterThan(PROGRAMS / 2);
  });
});
