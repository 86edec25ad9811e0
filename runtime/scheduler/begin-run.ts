/** Builds the first record of a run: its initial state, and where its tokens start. */
import type { RecordBody } from "../records/records.ts";
import { freezeJson } from "../state/json.ts";
import type { Completion } from "./completion.ts";
import { assertArgumentFits, assertBeginningFits } from "./expressions/assert-fits.ts";
import { gathered } from "./expressions/calls.ts";
import { evaluate, evaluationFailure, isOfTheState } from "./expressions/evaluate.ts";
import { createDraft } from "./flow/flow-draft.ts";
import { depart } from "./flow/follow-routes.ts";
import { conclude, failRun, settle } from "./flow/settle.ts";
import { applyRecord } from "./fold.ts";
import { lookupAt, ownMember } from "./lookup.ts";
import type { Program, ProgramField } from "./program/program.ts";
import { ROOT, type Snapshot } from "./snapshot/snapshot.ts";

type BegunRun = Completion & { readonly kind: "begin" };

export function begin(
  program: Program,
  snapshot: Snapshot,
  begun: BegunRun,
): readonly RecordBody[] {
  const { input: given, kept, config, at, isUntyped } = begun;
  const isTyped = isUntyped !== true;
  const also = {
    ...(isTyped ? { isTyped } : {}),
    ...(kept === undefined ? {} : { kept }),
    ...(config === undefined ? {} : { config }),
  };
  const bare = { kind: "run", input: given, state: {}, flow: [], writes: [], patches: [] } as const;
  try {
    const before = { ...snapshot, isTyped, ...(config === undefined ? {} : { config }) };
    const input = { ...defaultsOf(program, before, given), ...given };
    const state = freezeJson(initialState(program, { ...before, input }, kept));
    return start(program, snapshot, { ...bare, input, ...also, ...state }, at);
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    const failure = evaluationFailure(program, error, "before the first node: ");
    return [{ ...bare, ...also }, failRun(failure, {})];
  }
}

function start(
  program: Program,
  snapshot: Snapshot,
  bare: RecordBody & { readonly kind: "run" },
  at: number,
): readonly RecordBody[] {
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
    missing.flatMap((param) => {
      const { name, default: expression } = param;
      if (expression === undefined) return [];
      const value = evaluateAtRoot(program, standpoint, expression);
      const what = () => `the default of \`${name}\``;
      if (snapshot.isTyped)
        assertArgumentFits(program.ir, param, { what, value, span: expression.span });
      return [[name, value]];
    }),
  );
}

/** What fields begin with: what is kept of them, else their default. */
function initialState(
  program: Program,
  snapshot: Snapshot,
  kept: Readonly<Record<string, unknown>> = {},
): Pick<RecordBody & { readonly kind: "run" }, "state" | "agents"> {
  const begun = (field: ProgramField): unknown => {
    const { ir } = field;
    const before = ir.scope === "run" ? undefined : ownMember(kept, ir.name);
    if (before !== undefined || ir.default === undefined) return before;
    const value = evaluateAtRoot(program, snapshot, ir.default);
    const what = () => `the default of \`${ir.name}\``;
    if (snapshot.isTyped)
      assertBeginningFits(program, field, { what, value, span: ir.default.span });
    return value;
  };
  const valuesOf = (fields: readonly ProgramField[]) =>
    Object.fromEntries(
      gathered(fields, (field) => [field.ir.name, begun(field)] as const).filter(
        ([, value]) => value !== undefined,
      ),
    );
  const own = program.fields.filter(({ ir }) => ir.scope === "agent");
  const state = valuesOf(program.fields.filter(({ ir }) => ir.scope !== "agent"));
  return own.length === 0 ? { state } : { state, agents: valuesOf(own) };
}

function evaluateAtRoot(
  program: Program,
  snapshot: Snapshot,
  expression: Parameters<typeof evaluate>[0],
): unknown {
  return evaluate(expression, lookupAt(program, snapshot, { frame: ROOT, scope: ROOT }));
}
