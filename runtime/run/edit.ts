/** Reads what a person wants the state to be: which fields get which values, and whether they fit. */
import { type Draft, produce } from "immer";
import { type Ir, nearest, toJsonSchema } from "../../dsl/index.ts";
import { toJson } from "../agents/json.ts";
import { describeMisfit, misfits } from "../agents/json-schema.ts";
import { RunError } from "../failure.ts";
import { freezeJson } from "../state/json.ts";

type State = Readonly<Record<string, unknown>>;

/** The new values of some fields, or a function that changes a draft of the state. */
export type Edit<S> = Partial<S> | ((state: Draft<S>) => void);

/** Throws M5354 naming the first value that can't stand in the state. */
export function readEdit(ir: Ir, state: State, edit: Edit<State>): State {
  const wanted = typeof edit === "function" ? changedBy(state, edit) : edit;
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) {
    throw refused(
      "an edit is an object of fields and their new values, or a function of the state",
    );
  }
  const types = new Map(ir.types.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(wanted).map(([name, given]) => {
      const field = ir.fields.find((one) => one.name === name && one.scope !== "agent");
      if (field === undefined) throw unknownField(ir, name);
      const { value, faults } = toJson(given);
      const [fault] = faults;
      if (fault !== undefined) {
        const place = fault.path === "" ? "" : ` at \`${fault.path}\``;
        throw refused(`the new value of \`${name}\` is not JSON: ${fault.found}${place}`);
      }
      const { schema } = toJsonSchema(field.type, types);
      const [misfit] = schema === undefined ? [] : misfits(value, schema);
      if (misfit === undefined) return [name, freezeJson(value)];
      throw refused(`the new value of \`${name}\` does not fit: ${describeMisfit(misfit)}`);
    }),
  );
}

/** The fields that a function changes, or sets in a draft. */
function changedBy(state: State, change: (state: Draft<State>) => void): State {
  const after: State = produce(state, (draft: Draft<State>) => {
    change(draft);
  });
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== state[name]));
}

function unknownField({ fields, params, name: graph }: Ir, name: string): RunError {
  if (params.some((param) => param.name === name)) {
    return refused(`\`${name}\` is a parameter, and the input of a run stays as it is`);
  }
  const owner = fields.find((field) => field.name === name)?.owner;
  if (owner !== undefined) return refused(`\`${name}\` belongs to \`${owner}\` alone`);
  const meant = nearest(
    name,
    fields.filter(({ scope }) => scope !== "agent").map((f) => f.name),
  );
  return refused(`\`${graph}\` has no field \`${name}\``, meant && `did you mean \`${meant}\`?`);
}

function refused(message: string, hint?: string): RunError {
  return new RunError("M5354", message, { hint: hint ?? "nothing of the edit was done" });
}
