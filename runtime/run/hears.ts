/** Who can be told something while a run is under way. */

import { type Ir, nearest } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { shortRunId } from "../run-names.ts";

/** Throws M5334 for a name that is no node which asks a model. */
export function assertHears({ name, nodes, graphs = [] }: Ir, to: string | undefined): void {
  if (to === undefined) return;
  const all = [...nodes, ...graphs.flatMap((graph) => graph.nodes)];
  const names = all
    .filter(({ kind }) => kind === "agent" || kind === "router")
    .map((node) => node.name);
  if (names.includes(to)) return;
  const meant = nearest(to, names);
  throw new RunError("M5334", `\`${name}\` has no agent \`${to}\` that could hear it`, {
    hint:
      meant === undefined
        ? `it has ${names.map((one) => `\`${one}\``).join(", ") || "none"}`
        : `did you mean \`${meant}\`?`,
  });
}

export function nobodyHears({ id: runId }: { readonly id: string }): RunError {
  return new RunError("M5333", `run \`${shortRunId(runId)}\` has succeeded; nobody would hear it`, {
    hint: "start a new run in its thread, or go back with `rewind(n)`",
    runId,
  });
}
