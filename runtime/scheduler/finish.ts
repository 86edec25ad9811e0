/** The good end of a run: late writes fall into place, and the returned fields are its output. */
import type { RecordBody } from "../records.ts";
import { foldRoot } from "./fold.ts";
import { shownState } from "./lookup.ts";
import type { Program } from "./program.ts";
import type { Snapshot } from "./snapshot.ts";

export function finish(program: Program, snapshot: Snapshot): RecordBody {
  const folded = foldRoot(program, snapshot);
  const state = shownState(program, folded.snapshot);
  const output = Object.fromEntries(
    program.ir.returns.map((field) => [field, state[field] ?? null]),
  );
  return { kind: "end", status: "succeeded", reason: "done", output, patches: folded.patches };
}
