/** How much more processor time of the main thread runs on disk take when they are traced as well. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "../../../runtime/index.ts";
import { alternate } from "../alternate.ts";
import { workload } from "../engine/workloads.ts";
import { median } from "../statistics.ts";
import type { Keep, Tell } from "../suite.ts";
import { mainThreadMs } from "./processor-time.ts";

const RUNS = 9;
const WORKLOADS = ["chain 100", "chain 1000", "fan-out 1000", "loop 1000", "react 100"];
/** One run takes a few milliseconds: a collection of memory would be half of it. */
const RUNS_A_SAMPLE = 5;
const GOAL_PERCENT = 10;

/** Each workload with a trace that is brought up to date behind a few runs, beside one that nobody asks for. */
export async function costRows(tell: Tell, keep: Keep): Promise<void> {
  for (const name of WORKLOADS) {
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
    const row = { store: "disk", goal: GOAL_PERCENT, goalOn: "ours" } as const;
    const unit = "% more processor time of the main thread";
    keep({ name: `tracing ${name}`, ...row, unit, ours: more });
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
      mainThreadMs(async () => {
        for (let time = 0; time < RUNS_A_SAMPLE; time += 1) {
          const models = ours.model === undefined ? {} : { models: { brain: ours.model() } };
          await graph.run(input, { ...models, store: "disk" }).output;
        }
        if (isTraced) await session.traces();
      }),
    async close() {
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
