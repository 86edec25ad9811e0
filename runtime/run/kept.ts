/** Fields that outlive their run: what a run begins with, and what its records change of them. */
import { toJsonSchema } from "../../dsl/index.ts";
import { toJson } from "../agents/json.ts";
import { describeMisfit, misfits } from "../agents/json-schema.ts";
import { RunError } from "../failure.ts";
import type { LoggedWrite, RecordBody } from "../records.ts";
import { EvaluationError } from "../scheduler/evaluation-error.ts";
import { keptName } from "../scheduler/kept-fields.ts";
import { constant, ownMember } from "../scheduler/lookup.ts";
import type { Program, ProgramField } from "../scheduler/program.ts";
import type { Snapshot } from "../scheduler/snapshot.ts";
import { type Reducer, reduce } from "../state/reducers.ts";
import { plain } from "../state/shared-list.ts";
import { heldThread } from "../store/free-thread.ts";
import type { KeptField, KeptOwner, KeptWrite, RunMeta, RunSummary } from "../store/index.ts";

/** What of a store of runs decides about fields that outlive one. */
export interface KeptPlace {
  kept(of: KeptOwner): readonly KeptField[];
  /** The runs of a thread. */
  runsOf(thread: string): readonly RunSummary[];
}

type Whose = Pick<RunMeta, "runId" | "threadId" | "user">;

/** The user whose fields a run has that says no other. */
const USER = "me";

/**
 * What the fields of a new run begin with; nothing where they all begin anew. Throws M5350 while another run holds its
 * thread, M5351 where a value does not fit its field.
 */
export function keptFor(
  program: Program,
  whose: Whose,
  place: KeptPlace,
): Readonly<Record<string, unknown>> | undefined {
  if (holdsThread(program)) assertFree(whose, place);
  const found = (["thread", "user"] as const).flatMap((scope) => {
    const fields = fieldsOf(program, scope);
    if (fields.length === 0) return [];
    const kept = place.kept({ scope, owner: ownerOf(scope, whose) });
    return fields.flatMap((field) => {
      const value = kept.find((one) => one.field === keptName(field))?.value;
      if (value === undefined) return [];
      assertFits(program, field, value);
      return [[field.ir.name, value] as const];
    });
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Throws M5352 where the thread has gone on since the run wrote to it last: its own values are of then. */
export function assertThreadIsMine(
  program: Program,
  whose: Whose,
  { place, updatedAt }: { readonly place: KeptPlace; readonly updatedAt: number },
): void {
  const names = fieldsOf(program, "thread").map(keptName);
  if (names.length === 0) return;
  assertFree(whose, place);
  const { runId, threadId } = whose;
  const later = place
    .kept({ scope: "thread", owner: threadId })
    .find((one) => names.includes(one.field) && one.runId !== runId && one.updatedAt > updatedAt);
  if (later === undefined) return;
  throw new RunError(
    "M5352",
    `thread \`${threadId}\` has gone on with run \`${later.runId}\` since run \`${runId}\` stopped`,
    { hint: "start a new run on the thread, which begins with what it has now", runId },
  );
}

/** What records change of fields that outlive the run. */
export function keptWrites(
  program: Program,
  whose: Whose,
  {
    before,
    after,
    records,
  }: {
    readonly before: Snapshot;
    readonly after: Snapshot;
    readonly records: readonly RecordBody[];
  },
): readonly KeptWrite[] {
  const thread = fieldsOf(program, "thread").flatMap((field): readonly KeptWrite[] => {
    const shown = after.shown.get(field.index);
    if (shown === undefined || shown === before.shown.get(field.index)) return [];
    const { value } = shown;
    const owner = ownerOf("thread", whose);
    return [{ scope: "thread", owner, field: keptName(field), update: () => plain(value) }];
  });
  const user = fieldsOf(program, "user").flatMap((field) =>
    records.flatMap((record) =>
      userWrites(program, field, { owner: ownerOf("user", whose), record }),
    ),
  );
  return [...thread, ...user];
}

/** Whether one run at a time has its thread. */
export function holdsThread(program: Program): boolean {
  return fieldsOf(program, "thread").length > 0;
}

/** Whether a program has such fields at all. */
export function keepsFields(program: Program): boolean {
  return program.keeps;
}

/** Several runs may write a user's field at once: each write is applied to what is stored then. */
function userWrites(
  program: Program,
  field: ProgramField,
  { owner, record }: { readonly owner: string; readonly record: RecordBody },
): readonly KeptWrite[] {
  const { ir } = field;
  const of = { scope: "user", owner, field: keptName(field) } as const;
  // A person said what it is, whatever it was.
  if (record.kind === "edit") {
    const value = ownMember(record.values, ir.name);
    return value === undefined ? [] : [{ ...of, update: () => value }];
  }
  // The run that it was served from has applied it.
  if (record.kind === "commit" && record.served !== undefined) return [];
  const writes = "writes" in record ? (record.writes ?? []) : [];
  return writes
    .filter((write) => write.field === ir.name)
    .map((write) => {
      const reducer = reducerOf(program, field, { record, write });
      const update = (stored: unknown) => reduce(reducer, stored ?? defaultOf(ir), write.value);
      return { ...of, update };
    });
}

/** The field's own, or the one that the node names for what it writes. */
function reducerOf(
  { nodes, nodeNumbers }: Program,
  { reducer, ir }: ProgramField,
  { record, write: { via } }: { readonly record: RecordBody; readonly write: LoggedWrite },
): Reducer {
  if (via === undefined) return reducer;
  if (via === "replace") return { name: "replace" };
  const node = record.kind === "commit" ? nodes[nodeNumbers.get(record.node) ?? -1] : undefined;
  return node?.overrides.get(ir.name) ?? reducer;
}

function defaultOf({ default: value }: ProgramField["ir"]): unknown {
  if (value === undefined) return undefined;
  try {
    return constant(value);
  } catch (error) {
    // It names the run's input, and a field of a user has no business with that.
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

function fieldsOf({ fields }: Program, scope: "thread" | "user"): readonly ProgramField[] {
  return fields.filter(({ ir }) => ir.scope === scope);
}

function ownerOf(scope: "thread" | "user", { threadId, user = USER }: Whose): string {
  return scope === "thread" ? threadId : user;
}

function assertFree(whose: Whose, place: KeptPlace): void {
  const held = heldThread(whose, place.runsOf(whose.threadId));
  if (held !== undefined) throw held;
}

function assertFits(program: Program, field: ProgramField, value: unknown): void {
  const { ir, implied } = field;
  const types = new Map((implied?.graph ?? program.ir).types.map(({ name, type }) => [name, type]));
  const { schema } = toJsonSchema(ir.type, types);
  const [misfit] = schema === undefined ? [] : misfits(value, schema);
  if (misfit === undefined) return;
  throw new RunError(
    "M5351",
    `what is kept of \`${keptName(field)}\` does not fit the field any more: ${describeMisfit(misfit)}`,
    { hint: `the field lasts over the ${ir.scope}'s runs: give one of another type another name` },
  );
}

/** Throws M5353 where a setting is not one of the file, or of another type there. */
export function assertConfig(
  { ir }: Program,
  config: Readonly<Record<string, unknown>> | undefined,
): void {
  for (const [name, value] of Object.entries(config ?? {})) {
    const declared = ir.config.find(({ key }) => key === name);
    if (declared === undefined) {
      const names = ir.config.map(({ key }) => `\`${key}\``).join(", ");
      const has =
        names === "" ? "which the graph uses none of" : `of which the graph uses ${names}`;
      throw new RunError("M5353", `\`${name}\` is no setting of the file, ${has}`);
    }
    const [fault] = toJson(value).faults;
    if (fault !== undefined) {
      throw new RunError("M5353", `the setting \`${name}\` is not JSON: ${fault.found}`);
    }
    const usual =
      declared.value.kind === "literal" ? ownMember(declared.value as never, "value") : undefined;
    if (usual !== undefined && usual !== null && typeof usual !== typeof value) {
      throw new RunError(
        "M5353",
        `the setting \`${name}\` is a ${typeof usual}, and not ${JSON.stringify(value) ?? "nothing"}`,
      );
    }
  }
}
