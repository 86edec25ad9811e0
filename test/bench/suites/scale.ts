/** `npm run bench -- scale`: what grows with the number of machines. */
import { publishedRows } from "../scale/published-rows.ts";
import { serveRows } from "../scale/serve-rows.ts";
import { takeoverRows } from "../scale/takeover-rows.ts";
import type { Keep, Suite, Tell } from "../suite.ts";
import type { Wanted } from "../wanted.ts";

const PARTS: readonly ((tell: Tell, keep: Keep, wanted: Wanted) => Promise<void>)[] = [
  serveRows,
  takeoverRows,
  publishedRows,
];

export const scaleSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    for (const part of PARTS) await part(tell, keep, wanted);
  },
};
