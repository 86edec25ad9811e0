/** Reads an edit of the state by a person: which fields get which values, and whether the values fit. */
import type { Draft } from "immer";
import { type Ir, nearest, toJsonSchema } from "../../dsl/index.ts";
import { toJson } from "../agents/values/json.ts";
import { RunError } from "../failure.ts";
import { liveAt, partsOf } from "../history/called-place.ts";
import { stateOf } from "../history/state-of.ts";
import { mergeMessages } from "../messages/merge-messages.ts";
import { withIds } from "../messages/message-ids.ts";
import { readGivenMessages } from "../messages/read-given-messages.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { freezeJson } from "../state/json.ts";
import { describeMisfit, misfits } from "../state/json-schema.ts";
import { runRecipe } from "../state/reducer-recipes.ts";

type EditedState = Readonly<Record<string, unknown>>;

/** The new values of some fields, or a function that changes a draft of the state. */
export type Edit<S> = Partial<S> | ((state: Draft<S>) => void);

export interface EditOptions {
  readonly reason?: string;
  /** A graph that the run has called, by the path that leads to it (`go#1`, `go#1 › deeper#2`); the run's own state if not said. */
  readonly of?: string;
}

/** The edit as the scheduler takes it. Throws M5381 for a called graph that has ended or does not exist. */
export function readEditOf(
  run: { readonly ir: Ir; readonly state: EditedState; readonly id: string },
  asked: {
    readonly edit: Edit<EditedState>;
    readonly options: string | EditOptions;
    readonly calls: Parameters<typeof liveAt>[0];
  },
): { readonly values: EditedState; readonly reason?: string; readonly sub?: number } {
  const { edit, options, calls } = asked;
  const { reason, of } = typeof options === "string" ? { reason: options } : options;
  const why = reason === undefined ? {} : { reason };
  if (of === undefined) return { values: readEdit(run.ir, run.state, edit), ...why };
  const { id, program, snapshot } = liveAt(calls, partsOf(of), run);
  const values = readEdit(program.ir, stateOf(program, snapshot)(), edit);
  return { values, sub: id, ...why };
}

/** Returns whether there is an edit among these records. */
export function isEdited(records: readonly LogRecord[]): boolean {
  return records.some((record) => innermost(record).kind === "edit");
}

/** Throws M5354 naming the first value that can't stand in the state. */
export function readEdit(ir: Ir, state: EditedState, edit: Edit<EditedState>): EditedState {
  const wanted = typeof edit === "function" ? changedBy(state, edit) : edit;
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) {
    throw refused(
      "an edit is an object of fields and their new values, or a function of the state",
    );
  }
  const types = new Map(ir.types.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(wanted).map(([name, given]) => {
      const field = ir.fields.find((one) => one.name === name && isShared(one));
      if (field === undefined) throw unknownField(ir, name);
      const { value, faults } = toJson(given);
      const [fault] = faults;
      if (fault !== undefined) {
        const place = fault.path === "" ? "" : ` at \`${fault.path}\``;
        throw refused(`the new value of \`${name}\` is not JSON: ${fault.found}${place}`);
      }
      if (field.reducer.name === "messages") return [name, editedMessages(name, value)];
      const { schema } = toJsonSchema(field.type, types);
      const [misfit] = schema === undefined ? [] : misfits(value, schema);
      if (misfit === undefined) return [name, freezeJson(value)];
      throw refused(`the new value of \`${name}\` does not fit: ${describeMisfit(misfit)}`);
    }),
  );
}

/** A conversation as a person wants it, each message with an id. Throws M8690. */
function editedMessages(field: string, value: unknown): readonly unknown[] {
  const messages = readGivenMessages(value, `the new value of \`${field}\``);
  const written = withIds(messages, { place: ["edit", field], after: undefined });
  return freezeJson(mergeMessages([], written));
}

/** The fields that a function changes, or sets in a draft. */
function changedBy(state: EditedState, change: (state: Draft<EditedState>) => void): EditedState {
  const after = runRecipe((draft) => {
    change(draft as Draft<EditedState>);
  }, state) as EditedState;
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== state[name]));
}

function unknownField({ fields, params, name: graph }: Ir, name: string): RunError {
  if (params.some((param) => param.name === name)) {
    return refused(`\`${name}\` is a parameter, and the input of a run stays as it is`);
  }
  const { owner, scope } = fields.find((field) => field.name === name) ?? {};
  const whose = scope === "item" ? `the items of \`each ${owner}\`` : `\`${owner}\` alone`;
  if (owner !== undefined) return refused(`\`${name}\` belongs to ${whose}`);
  const meant = nearest(
    name,
    fields.filter(isShared).map((f) => f.name),
  );
  return refused(`\`${graph}\` has no field \`${name}\``, meant && `did you mean \`${meant}\`?`);
}

/** Tells whether a field belongs to the whole graph, so that people may edit it. */
function isShared({ scope }: Ir["fields"][number]): boolean {
  return scope !== "agent" && scope !== "item";
}

function refused(message: string, hint?: string): RunError {
  return new RunError("M5354", message, { hint: hint ?? "nothing of the edit was done" });
}
