/** The first record of a run: its initial state, and where its tokens start. */
import type { RecordBody } from "../records.ts";
import { freezeJson } from "../state/json.ts";
import { evaluationFailure } from "./condition.ts";
import { evaluate } from "./evaluate.ts";
import { conclude, failRun } from "./finish.ts";
import { createDraft, depart } from "./flow.ts";
import { applyRecord } from "./fold.ts";
import { lookupAt, ownMember } from "./lookup.ts";
import type { Program } from "./program.ts";
import { settle } from "./settle.ts";
import { ROOT, type Snapshot } from "./snapshot.ts";
import { isOfTheState } from "./state-error.ts";

export function begin(
  program: Program,
  snapshot: Snapshot,
  { input: given, at }: { readonly input: Readonly<Record<string, unknown>>; readonly at: number },
): readonly RecordBody[] {
  try {
    const input = { ...defaultsOf(program, snapshot, given), ...given };
    return start(program, snapshot, input, at);
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    const bare: RecordBody = {
      kind: "run",
      input: given,
      state: {},
      flow: [],
      writes: [],
      patches: [],
    };
    return [bare, failRun(evaluationFailure(program, error, "before the first node: "), {})];
  }
}

function start(
  program: Program,
  snapshot: Snapshot,
  input: Readonly<Record<string, unknown>>,
  at: number,
): readonly RecordBody[] {
  const state = freezeJson(initialState(program, { ...snapshot, input }));
  const bare: RecordBody = { kind: "run", input, state, flow: [], writes: [], patches: [] };
  const draft = createDraft(program, applyRecord(program, snapshot, bare, 0), at);
  depart(draft, { frame: ROOT, seq: -1, scope: ROOT, outlet: program.start });
  settle(draft, { scope: ROOT });
  const { flow, writes, patches } = draft;
  return [{ ...bare, flow, writes, patches }, ...conclude(draft, {})];
}

function defaultsOf(
  program: Program,
  snapshot: Snapshot,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const missing = program.ir.params.filter(({ name }) => ownMember(given, name) === undefined);
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
