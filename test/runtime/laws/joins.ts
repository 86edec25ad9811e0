/** L5, from the log alone: tokens come to joins, joins take them, and none is left over. */
import { pathOf } from "../../../runtime/history/log-path.ts";
import type { FlowOp } from "../../../runtime/scheduler/flow/flow-op.ts";
import type { Ran } from "../../support/run-graph.ts";

/** What is wrong with the joins of a run. */
export function joinsHold({ records, program, snapshot, status }: Ran): string | undefined {
  const waiting = new Map<string, number[]>();
  const atWork = new Map<number, string>();
  for (const record of pathOf(records)) {
    if (record.kind === "commit") atWork.delete(record.id);
    if (record.kind === "attempt" && record.flow !== undefined) atWork.delete(record.id);
    for (const op of "flow" in record ? (record.flow ?? []) : []) {
      note(op, atWork, program);
      const wrong = take(op, waiting, program) ?? tooEarly(op, atWork, program);
      if (wrong !== undefined) return wrong;
    }
    if (record.kind === "control" && record.verb === "rewind") {
      for (const { from, id } of record.renumbered) rename(atWork, from, id);
    }
  }
  // One that was cut short by `end when`, or dropped with its item, may leave some.
  if (status !== "succeeded" || snapshot.open.size > 0) return undefined;
  const left = [...waiting].find(
    ([at, tokens]) => at.endsWith("@0") && tokens.some((count) => count !== 0),
  );
  return left === undefined ? undefined : `join ${left[0]} keeps ${left[1].join(" ")}`;
}

function take(
  op: FlowOp,
  waiting: Map<string, number[]>,
  { joins }: Ran["program"],
): string | undefined {
  if (op.op === "cancel") withdraw(op, waiting);
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

/** What a quorum no longer needs is taken away where it waits. */
function withdraw(
  op: FlowOp & { readonly op: "cancel" },
  waiting: ReadonlyMap<string, number[]>,
): void {
  for (const { join, source } of op.waiting) {
    const tokens = waiting.get(`${join}@${op.scope}`);
    if (tokens !== undefined) tokens[source] = (tokens[source] ?? 0) - 1;
  }
}

/** Keeps which nodes are at work in which scope. */
function note(op: FlowOp, atWork: Map<number, string>, { nodes }: Ran["program"]): void {
  if (op.op === "activate") atWork.set(op.id, `${nodes[op.node]?.ir.name}@${op.scope}`);
  if (op.op === "cancel") for (const id of op.runs) atWork.delete(id);
  if (op.op === "item-skip") atWork.clear();
}

/** A join goes on without a source that is at work. */
function tooEarly(
  op: FlowOp,
  atWork: Map<number, string>,
  { joins }: Ran["program"],
): string | undefined {
  if (op.op !== "fire" || op.by !== undefined) return undefined;
  const working = new Set(atWork.values());
  const early = (op.missing ?? []).filter((source) => working.has(`${source}@${op.scope}`));
  if (early.length === 0) return undefined;
  return `${joins[op.join]?.name} goes on without ${early.join(", ")}, at work`;
}

function rename(atWork: Map<number, string>, from: number, id: number): void {
  const name = atWork.get(from);
  atWork.delete(from);
  if (name !== undefined) atWork.set(id, name);
}
