/** Shows, edits, resets and migrates the fields that threads and users keep between runs. */
import { type Ir, nearest } from "../../dsl/index.ts";
import { toJson } from "../agents/values/json.ts";
import { RunError } from "../failure.ts";
import { keptName } from "../scheduler/lookup.ts";
import { link } from "../scheduler/program/link.ts";
import type { ProgramField } from "../scheduler/program/program.ts";
import { describeMisfit } from "../state/json-schema.ts";
import { keptRowOf } from "../store/lasting-fields/choose-value.ts";
import { PRIVATE } from "../store/lasting-fields/lasting-fields.ts";
import type { KeptField, KeptOwner, RunStore } from "../store/run-store.ts";
import { fieldMisfit, keptAs, shownMisfit } from "../threads/load-lasting-fields.ts";

type LastingValues = Readonly<Record<string, unknown>>;

/** The kept fields of one thread or user. A name is that of the field, or `Graph.field` where several graphs have one. */
export interface KeptState {
  readonly scope: KeptOwner["scope"];
  readonly owner: string;
  readonly values: LastingValues;
  readonly fields: readonly KeptFieldState[];
}

export interface KeptFieldState {
  readonly name: string;
  readonly value: unknown;
  /** The run that wrote it last; none where a person did. */
  readonly runId?: string;
  readonly updatedAt: number;
  /** Of a thread's field: whether something in it is private. */
  readonly isPrivate?: true;
}

export interface KeptChangeOptions {
  /** The graph whose fields the values must fit; without it any JSON is taken. */
  readonly graph?: { readonly ir: Ir };
}

export class KeptStates {
  readonly #scope: KeptOwner["scope"];
  readonly #store: RunStore;

  constructor(scope: KeptOwner["scope"], store: RunStore) {
    this.#scope = scope;
    this.#store = store;
  }

  /** Those that keep something; written last first. */
  list(): readonly KeptState[] {
    return this.#store.keptOwners(this.#scope).map((owner) => this.show(owner));
  }

  /** Returns the kept fields of one owner. Throws M5358 where there are none. */
  show(owner: string): KeptState {
    return stateOf({ scope: this.#scope, owner }, this.#kept(owner));
  }

  /** Gives fields other values, or new ones; the others stay. */
  edit(owner: string, values: LastingValues, options: KeptChangeOptions = {}): KeptState {
    const before = this.#store.kept({ scope: this.#scope, owner });
    if (options.graph !== undefined)
      assertKnown(options.graph.ir, this.#scope, { before: namedValues(before), values });
    return this.#change(owner, before, { ...namedValues(before), ...values }, options);
  }

  /** Has fields begin anew with the next run, or all of them. */
  reset(owner: string, names?: readonly string[]): KeptState {
    const before = this.#kept(owner);
    const values = namedValues(before);
    const unknown = names?.find((name) => !Object.hasOwn(values, name));
    if (unknown !== undefined) throw noField(unknown, { scope: this.#scope, owner }, values);
    const left = Object.entries(values).filter(([name]) => names?.includes(name) === false);
    return this.#change(owner, before, Object.fromEntries(left), {});
  }

  /** Has a function say from all values what they are to be; what it leaves out begins anew. */
  async migrate(
    owner: string,
    migrate: (values: LastingValues) => LastingValues | Promise<LastingValues>,
    options: KeptChangeOptions = {},
  ): Promise<KeptState> {
    const before = this.#kept(owner);
    const values: unknown = await migrate(structuredClone(namedValues(before)));
    if (typeof values === "object" && values !== null && !Array.isArray(values))
      return this.#change(owner, before, values as LastingValues, options);
    throw refused("the function gives no object with the fields as members");
  }

  #kept(owner: string): readonly KeptField[] {
    const kept = this.#store.kept({ scope: this.#scope, owner });
    if (kept.length > 0) return kept;
    const known = this.#store.keptOwners(this.#scope);
    const meant = nearest(owner, known);
    throw refused(
      `${this.#scope} \`${owner}\` keeps nothing`,
      meant === undefined ? "`madrigal threads` lists those that do" : `did you mean \`${meant}\`?`,
    );
  }

  #change(
    owner: string,
    before: readonly KeptField[],
    values: LastingValues,
    { graph }: KeptChangeOptions,
  ): KeptState {
    const of = { scope: this.#scope, owner };
    const after = Object.entries(values).map(([name, given]) => {
      const { value, faults } = toJson(given);
      const [fault] = faults;
      if (fault !== undefined)
        throw refused(`the value of \`${name}\` is not JSON: ${fault.found}`);
      const known = before.find((one) => nameOf(one, before) === name);
      const { field, graph: by, type } = known ?? { field: name, graph: "", type: "" };
      return { ...of, field, graph: by, type, value };
    });
    if (graph !== undefined) assertFit(graph.ir, of, after);
    this.#store.changeKept({ ...of, before, after });
    return stateOf(of, this.#store.kept(of));
  }
}

function stateOf(of: KeptOwner, kept: readonly KeptField[]): KeptState {
  const fields = kept.map((one) => {
    const { value, runId, updatedAt } = one;
    const isPrivate = one.type === PRIVATE ? ({ isPrivate: true } as const) : {};
    const by = runId === "" ? {} : { runId };
    return { name: nameOf(one, kept), value, ...by, updatedAt, ...isPrivate };
  });
  return { ...of, values: namedValues(kept), fields };
}

function namedValues(kept: readonly KeptField[]): LastingValues {
  return Object.fromEntries(kept.map((one) => [nameOf(one, kept), one.value]));
}

function nameOf({ field, graph }: KeptField, kept: readonly KeptField[]): string {
  const isOnly = kept.filter((one) => one.field === field).length === 1;
  return isOnly || graph === "" ? field : `${graph}.${field}`;
}

/** Each new name is that of a field which the graph keeps; other graphs may have written the names that are there. */
function assertKnown(
  ir: Ir,
  scope: KeptOwner["scope"],
  { before, values }: { readonly before: LastingValues; readonly values: LastingValues },
): void {
  const names = link(ir)
    .fields.filter((field) => field.ir.scope === scope)
    .map(keptName);
  const unknown = Object.keys(values).find(
    (name) => !names.includes(name) && !Object.hasOwn(before, name),
  );
  if (unknown === undefined) return;
  const meant = nearest(unknown, names);
  const there = names.map((name) => `\`${name}\``).join(", ");
  throw refused(
    `\`${ir.name}\` keeps no field \`${unknown}\` for a ${scope}`,
    meant === undefined
      ? there === ""
        ? `it has no \`state ${scope} { }\``
        : `it keeps ${there}`
      : `did you mean \`${meant}\`?`,
  );
}

/** Each value of a field of the graph fits it; other graphs may have other fields. */
function assertFit(
  ir: Ir,
  { scope }: KeptOwner,
  after: readonly Pick<KeptField, "field" | "graph" | "type" | "value">[],
): void {
  const program = link(ir);
  for (const field of program.fields.filter((one) => one.ir.scope === scope)) {
    const found = keptRowOf(after, keptAs(program, field), ({ value }) => value);
    const misfit = found && fieldMisfit(program, field, found.value);
    if (misfit === undefined) continue;
    throw refused(misfitText(field, describeMisfit(shownMisfit(misfit, program, field))));
  }
}

function misfitText(field: ProgramField, misfit: string): string {
  return `the value of \`${keptName(field)}\` does not fit: ${misfit}`;
}

function noField(name: string, { scope, owner }: KeptOwner, values: LastingValues): RunError {
  const names = Object.keys(values);
  const meant = nearest(name, names);
  const there = names.map((one) => `\`${one}\``).join(", ");
  return refused(
    `${scope} \`${owner}\` keeps no \`${name}\``,
    meant === undefined ? `it keeps ${there}` : `did you mean \`${meant}\`?`,
  );
}

function refused(message: string, hint = "nothing was changed"): RunError {
  return new RunError("M5358", message, { hint });
}
