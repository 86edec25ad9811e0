/** `npm run bench -- kernel`: our kernel beside tslab's own, ipykernel and Deno's, over the same sockets in the same minutes. */
import { type Contender, otherKernels, ownKernel, PEERS, TSLAB } from "../kernel/contenders.ts";
import { debugRows } from "../kernel/debug-rows.ts";
import { type FigureName, Figures, figureNames } from "../kernel/figures.ts";
import { measureBlocked } from "../kernel/measure-blocked.ts";
import { measureLife } from "../kernel/measure-life.ts";
import { notebookRows } from "../kernel/notebook-rows.ts";
import { roundTripRow } from "../kernel/round-trip-row.ts";
import { goalNames, rowsOf } from "../kernel/rows.ts";
import { otherBlocking } from "../kernel/typescript-script.ts";
import type { Keep, Suite, Tell } from "../suite.ts";
import type { Wanted } from "../wanted.ts";

const RUNS = 7;

export const kernelSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    debugRows({ tell, keep, wanted });
    await roundTripRow({ tell, keep, wanted });
    await notebookRows({ tell, keep, wanted });
    if (isWanted(wanted)) await measureKernels(tell, keep);
  },
};

/** The others are measured with ours, so one row brings all. */
function isWanted(wanted: Wanted): boolean {
  const names = goalNames.flatMap((name) => [name, ...PEERS.map((peer) => `${name}, ${peer}`)]);
  return names.filter((name) => wanted.has(name)).length > 0;
}

async function measureKernels(tell: Tell, keep: Keep): Promise<void> {
  const ours = ownKernel();
  const all = [ours, ...(await otherKernels(tell))];
  const measured = new Map(all.map((contender) => [contender, new Figures()]));
  await measureLives(measured, tell);
  for (const [contender, figures] of measured) {
    tell(`bench: ${contender.name}, cells that block`);
    await measureBlocked(contender, { figures, others: contender === ours ? otherBlocking : [] });
  }
  const peers = [...measured].filter(([contender]) => contender !== ours);
  for (const [{ name }, figures] of measured) tellLeft(name, figures, tell);
  const own = measured.get(ours) ?? new Figures();
  const named = peers.map(([{ name }, figures]) => ({ name, figures }));
  rowsOf(own, { peers: named, tslab: TSLAB }).forEach(keep);
  assertWhole(own);
}

/** One after the other, so that whatever else the machine does falls on all; the first round fills caches and does not count. */
async function measureLives(measured: ReadonlyMap<Contender, Figures>, tell: Tell): Promise<void> {
  for (let round = 0; round <= RUNS; round += 1) {
    tell(round === 0 ? "bench: warming up" : `bench: run ${round} of ${RUNS}`);
    for (const [contender, figures] of measured)
      await measureLife(contender, round === 0 ? new Figures() : figures);
  }
}

function tellLeft(name: string, figures: Figures, tell: Tell): void {
  for (const figure of figureNames) {
    const reason = figures.reason(figure);
    if (reason !== undefined) tell(`bench: ${name} is not in “${figure}”: ${reason}`);
  }
}

/** The rows of the others may be fewer; ours not. */
function assertWhole(own: Figures): void {
  const missing = figureNames.filter((name: FigureName) => own.values(name) === undefined);
  if (missing.length > 0) throw new Error(`our kernel has no ${missing.join(", no ")}`);
}
