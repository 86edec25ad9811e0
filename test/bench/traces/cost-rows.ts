/** How much longer runs on disk take when they are traced as well, by processor time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "../../../runtime/index.ts";
import { alternate } from "../alternate.ts";
import { workload } from "../engine/workloads.ts";
import { median } from "../statistics.ts";
import type { Keep, Tell } from "../suite.ts";
import { processorMs } from "./processor-time.ts";

const RUNS = 9;
const goals = { "react 100": 15, "chain 1000": 20 } as const;

/** Each workload with a trace that is brought up to date behind every run, beside one that nobody asks for. */
export async function costRows(tell: Tell, keep: Keep): Promise<void> {
  for (const [name, goal] of Object.entries(goals)) {
    tell(`bench: tracing of ${name}`);
    const [traced, bare] = [sideOf(name), sideOf(name)];
    const { ours, base } = await alternate(
      { ours: () => traced.run(true), base: () => bare.run(false) },
      { runs: RUNS, tell: () => {} },
    );
    await traced.close();
    await bare.close();
    const middle = median(base);
    const more = ours.map((ms) => (ms / middle - 1) * 100);
    const row = { store: "disk", unit: "% more processor time", goal, goalOn: "ours" } as const;
    keep({ name: `tracing ${name}`, ...row, ours: more });
  }
}

function sideOf(name: string) {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-traces-"));
  const session = new Session({ store: "disk", cwd: folder, env: { MADRIGAL_HOME: folder } });
  const { ours, input } = workload(name);
  const [graph] = Object.values(session.compile(ours.text, { scope: ours.scope }));
  if (graph === undefined) throw new Error(`\`${name}\` has no graph`);
  return {
    run: (isTraced: boolean) =>
      processorMs(async () => {
        const models = ours.model === undefined ? {} : { models: { brain: ours.model() } };
        await graph.run(input, { ...models, store: "disk" }).output;
        if (isTraced) await session.traces();
      }),
    async close() {
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
