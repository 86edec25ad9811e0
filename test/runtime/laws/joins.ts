/** L5, from the log alone: tokens come to joins, joins take them, and none is left over. */
import { pathOf } from "../../../runtime/run/log-path.ts";
import type { FlowOp } from "../../../runtime/scheduler/flow-op.ts";
import type { Ran } from "../../support/run-graph.ts";

/** What is wrong with the joins of a run. */
export function joinsHold({ records, program, snapshot, status }: Ran): string | undefined {
  const waiting = new Map<string, number[]>();
  for (const record of pathOf(records)) {
    for (const op of "flow" in record ? (record.flow ?? []) : []) {
      const wrong = take(op, waiting, program);
      if (wrong !== undefined) return wrong;
    }
  }
  // One that was cut short by `end when`, or dropped with its item, may leave some.
  if (status !== "succeeded" || snapshot.open.size > 0) return undefined;
  const left = [...waiting].find(
    ([at, tokens]) => at.endsWith("@0") && tokens.some((count) => count > 0),
  );
  return left === undefined ? undefined : `join ${left[0]} keeps ${left[1].join(" ")}`;
}

function take(
  op: FlowOp,
  waiting: Map<string, number[]>,
  { joins }: Ran["program"],
): string | undefined {
  if (op.op !== "arrive" && op.op !== "fire") return undefined;
  const at = `${op.join}@${op.scope}`;
  const { nodes = [], name = "" } = joins[op.join] ?? {};
  const tokens = waiting.get(at) ?? nodes.map(() => 0);
  waiting.set(at, tokens);
  if (op.op === "arrive") {
    tokens[op.source] = (tokens[op.source] ?? 0) + 1;
    return undefined;
  }
  if (tokens.every((count) => count === 0)) return `${name} fires without a token`;
  const missing = tokens.filter((count) => count === 0).length;
  if (missing !== (op.missing?.length ?? 0)) return `${name} fires before all have come`;
  for (const [source, count] of tokens.entries()) tokens[source] = Math.max(0, count - 1);
  return undefined;
}
