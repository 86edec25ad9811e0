/** Reads the fields and the variable of an item of an `each` as they are behind a commit in its body. */
import { pathOf } from "../history/log-path.ts";
import type { RunPosition } from "../history/run-position.ts";
import type { RunStep } from "../history/step.ts";
import type { CommitRecord, LogRecord } from "../records/records.ts";
import { applyRecord, foldIn } from "../scheduler/fold.ts";
import { itemOf, stateAt } from "../scheduler/lookup.ts";
import type { Program } from "../scheduler/program/program.ts";
import { type NodeRun, type Snapshot, stepAt } from "../scheduler/snapshot/snapshot.ts";

/** The names that only an item has, with their values. */
export interface ItemValues {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of the `each`es around the node, the innermost first. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export const NO_ITEM: ItemValues = { fields: {}, variables: {} };

/**
 * The values of the item in which a step was committed, also where the item is over by now: the commit is folded once
 * more without what followed from it. Nothing for a step outside of an `each`, and for one of a called graph.
 */
export function itemValuesAt(position: RunPosition, step: RunStep): ItemValues {
  const { program, snapshot } = position;
  const ir = program.ir.nodes.find(({ name }) => name === step.node);
  if (ir?.each === undefined || step.path !== undefined) return NO_ITEM;
  // The whole log of a stored run: read for a step in an `each` alone.
  const commit = pathOf(position.records).findLast(isCommitOf(step));
  const before = stepAt(snapshot, step.step - 1, foldIn(program));
  const run = commit && before?.open.get(commit.id);
  if (before === undefined || commit === undefined || run === undefined) return NO_ITEM;
  const own = { ...commit, flow: [], writes: commit.writes.slice(0, commit.ownWrites) };
  return valuesOfItem(program, applyRecord(program, before, own, commit.at), run);
}

function isCommitOf({ step, node }: RunStep) {
  return (record: LogRecord): record is LogRecord & CommitRecord =>
    record.kind === "commit" && record.step === step && record.node === node;
}

function valuesOfItem(program: Program, snapshot: Snapshot, { frame, scope }: NodeRun): ItemValues {
  const state = stateAt(program, snapshot, frame);
  const fields = program.ir.fields.flatMap(({ name, scope: of }) =>
    of === "item" && state[name] !== undefined ? [[name, state[name]] as const] : [],
  );
  const names = eachVariables(program, snapshot, scope);
  const variables = names.map((name) => [name, itemOf(program, snapshot, scope, name)] as const);
  return { fields: Object.fromEntries(fields), variables: Object.fromEntries(variables) };
}

/** The variables of the `each`es around a scope, the innermost first. */
export function eachVariables(
  program: Program,
  snapshot: Snapshot,
  scope: number,
): readonly string[] {
  const names: string[] = [];
  for (let at = snapshot.scopes.get(scope); at !== undefined; at = snapshot.scopes.get(at.parent)) {
    const expansion = snapshot.expansions.get(at.expansion);
    const variable = expansion && program.eaches[expansion.each]?.ir.variable;
    if (variable !== undefined) names.push(variable);
  }
  return names;
}
