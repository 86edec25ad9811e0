/** `npm run bench -- traces`: what traces cost to write and to ask. */
import type { Keep, Suite, Tell } from "../suite.ts";
import { chartRows } from "../traces/chart-rows.ts";
import { costRows } from "../traces/cost-rows.ts";
import { liveRows } from "../traces/live-rows.ts";
import { manyRows } from "../traces/many-rows.ts";
import { spansRows } from "../traces/spans-rows.ts";
import { writerRows } from "../traces/writer-rows.ts";

/** Each measures one thing and gives its rows; charts and interchange have theirs behind these. */
const PARTS: readonly ((tell: Tell, keep: Keep) => Promise<void>)[] = [
  writerRows,
  liveRows,
  costRows,
  manyRows,
  chartRows,
  spansRows,
];

export const tracesSuite: Suite = {
  measure: async (tell, keep) => {
    for (const part of PARTS) await part(tell, keep);
  },
};
