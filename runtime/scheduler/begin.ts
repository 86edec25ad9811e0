/** The first record of a run: its initial state, and where its tokens start. */
import type { RecordBody } from "../records.ts";
import { freezeJson } from "../state/json.ts";
import { evaluate } from "./evaluate.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { conclude, failRun } from "./finish.ts";
import { createDraft, depart } from "./flow.ts";
import { applyRecord } from "./fold.ts";
import { lookupAt } from "./lookup.ts";
import type { Program } from "./program.ts";
import { settle } from "./settle.ts";
import { ROOT, type Snapshot } from "./snapshot.ts";

export function begin(
  program: Program,
  snapshot: Snapshot,
  given: Readonly<Record<string, unknown>>,
): readonly RecordBody[] {
  const input = { ...defaultsOf(program, snapshot, given), ...given };
  const state = freezeJson(initialState(program, { ...snapshot, input }));
  const bare: RecordBody = { kind: "run", input, state, flow: [], writes: [], patches: [] };
  const draft = createDraft(program, applyRecord(program, snapshot, bare, 0));
  try {
    depart(draft, { frame: ROOT, seq: -1, scope: ROOT, outlet: program.start });
    settle(draft, { scope: ROOT });
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return [bare, failRun({ class: "invalid", code: "M5011", message: error.message }, {})];
  }
  const record: RecordBody = {
    ...bare,
    flow: draft.flow,
    writes: draft.writes,
    patches: draft.patches,
  };
  return [record, ...conclude(draft, {})];
}

function defaultsOf(
  program: Program,
  snapshot: Snapshot,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const missing = program.ir.params.filter(({ name }) => given[name] === undefined);
  const standpoint = { ...snapshot, input: given };
  return Object.fromEntries(
    missing.flatMap(({ name, default: value }) =>
      value === undefined ? [] : [[name, evaluateAtRoot(program, standpoint, value)]],
    ),
  );
}

function initialState(program: Program, snapshot: Snapshot): Record<string, unknown> {
  return Object.fromEntries(
    program.fields.flatMap(({ ir }) =>
      ir.default === undefined ? [] : [[ir.name, evaluateAtRoot(program, snapshot, ir.default)]],
    ),
  );
}

function evaluateAtRoot(
  program: Program,
  snapshot: Snapshot,
  expression: Parameters<typeof evaluate>[0],
): unknown {
  return evaluate(expression, lookupAt(program, snapshot, { frame: ROOT, scope: ROOT }));
}
