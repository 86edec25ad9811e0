/** Loads fields that outlive their run at its start, and collects what its records change of them. */
import { isDeepStrictEqual } from "node:util";
import {
  canonicalJson,
  type EntryIr,
  GUARD,
  type Ir,
  type ReducerName,
  sha256,
  toJsonSchema,
} from "../../dsl/index.ts";
import { toJson } from "../agents/values/json.ts";
import { RunError } from "../failure.ts";
import type { LoggedWrite, LogRecord, RecordBody } from "../records/records.ts";
import { isPrivateField, PrivateValues } from "../redaction/private-values.ts";
import { shortRunId } from "../run-names.ts";
import { fieldCheck } from "../scheduler/expressions/assert-fits.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import { assertGuard } from "../scheduler/guard/guard-of.ts";
import { constant, keptName, ownMember } from "../scheduler/lookup.ts";
import type { Program, ProgramField } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { type Reducer, reduce } from "../state/fold-writes.ts";
import { describeMisfit, type Misfit } from "../state/json-schema.ts";
import { plain } from "../state/persistent.ts";
import { keptRowOf } from "../store/lasting-fields/choose-value.ts";
import { heldThreadError } from "../store/lasting-fields/thread-holder.ts";
import type {
  KeptField,
  KeptOwner,
  KeptType,
  KeptWrite,
  RunMeta,
  RunSummary,
} from "../store/run-store.ts";

/** The part of a store of runs that decides about kept fields. */
export interface KeptPlace {
  kept(of: KeptOwner): readonly KeptField[];
  /** The runs of a thread. */
  runsOf(thread: string): readonly RunSummary[];
  /** The records of a run; none where it is gone. */
  recordsOf(runId: string): readonly LogRecord[];
}

/** A run of the thread that a new one goes on from: what it left of some fields. */
export interface LeftTurn {
  left(names: readonly string[]): readonly KeptField[];
}

type Whose = Pick<RunMeta, "runId" | "threadId" | "user">;

/** The user of runs without a user, which was once allowed; such a run may still continue. */
const FORMER_USER = "me";

/**
 * Returns the initial kept fields of a new run; undefined where all begin anew. Throws M5350 while another run holds
 * its thread, M5351 where a value does not fit its field, M5359 where it has fields of a user and no user is given.
 */
export function keptFor(
  program: Program,
  whose: Whose,
  { place, turn }: { readonly place: KeptPlace; readonly turn?: LeftTurn | undefined },
): Readonly<Record<string, unknown>> | undefined {
  if (holdsThread(program)) assertFree(whose, place);
  const found = (["thread", "user"] as const).flatMap((scope) => {
    const fields = fieldsOf(program, scope);
    if (fields.length === 0) return [];
    if (scope === "user") assertUser(program, fields, whose);
    const isLeft = scope === "thread" && turn !== undefined;
    const kept = isLeft
      ? turn.left(fields.map(keptName))
      : place.kept({ scope, owner: ownerOf(scope, whose) });
    return fields.flatMap((field) => {
      const found = keptRowOf(kept, keptAs(program, field), ({ value }) => value);
      if (found === undefined) return [];
      assertFits({ program, field, place }, found);
      return [[field.ir.name, found.value] as const];
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
    `thread \`${threadId}\` ${later.runId === "" ? "was changed by a person" : `has gone on with run \`${shortRunId(later.runId)}\``} since run \`${shortRunId(runId)}\` stopped`,
    {
      hint: "start a new run on the thread, which begins with what it has now, or with `from` what this run left; a fork has a thread of its own",
      runId,
    },
  );
}

/** Returns the changes of kept fields by records. */
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
  const thread = threadWrites(program, whose, after, before);
  const user = fieldsOf(program, "user").flatMap((field) =>
    records.flatMap((record) =>
      userWrites(program, field, { owner: ownerOf("user", whose), record }),
    ),
  );
  return [...thread, ...user];
}

/** Returns the thread's fields after a record that differ from their values before it. */
export function threadWrites(
  program: Program,
  whose: Whose,
  after: Snapshot,
  before?: Snapshot,
): readonly KeptWrite[] {
  return fieldsOf(program, "thread").flatMap((field): readonly KeptWrite[] => {
    const shown = after.shown.get(field.index);
    if (shown === undefined || shown === before?.shown.get(field.index)) return [];
    const { value } = shown;
    const owner = ownerOf("thread", whose);
    const { types } = field.implied?.graph ?? program.ir;
    const isPrivate = isPrivateField(field.ir, types);
    const named = { scope: "thread" as const, owner, field: keptName(field), isPrivate };
    return [{ ...named, update: () => plain(value) }];
  });
}

/** Returns whether only one run at a time may have its thread. */
export function holdsThread(program: Program): boolean {
  return fieldsOf(program, "thread").length > 0;
}

/** Returns whether a program has kept fields. */
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
  const of = { scope: "user" as const, owner, ...keptAs(program, field) };
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
  { record, write: { via, set } }: { readonly record: RecordBody; readonly write: LoggedWrite },
): Reducer {
  if (via === undefined) return reducer;
  if (via === "replace" || set === true) return { name: via as ReducerName };
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

function ownerOf(scope: "thread" | "user", { threadId, user = FORMER_USER }: Whose): string {
  return scope === "thread" ? threadId : user;
}

function assertFree(whose: Whose, place: KeptPlace): void {
  const held = heldThreadError(whose, place.runsOf(whose.threadId));
  if (held !== undefined) throw held;
}

/** By which name a field is found, and of a user's field what its values are. */
export function keptAs(
  program: Program,
  field: ProgramField,
): { readonly field: string; readonly of?: KeptType } {
  const { implied, ir } = field;
  const name = keptName(field);
  if (ir.scope !== "user") return { field: name };
  const graph = implied?.graph.name ?? program.ir.name;
  const types = new Map((implied?.graph ?? program.ir).types.map((one) => [one.name, one.type]));
  const type = sha256(canonicalJson(toJsonSchema(ir.type, types).schema)).slice(0, 16);
  const fits = (value: unknown) => fieldMisfit(program, field, value) === undefined;
  return { field: name, of: { graph, type, fits } };
}

function assertUser(program: Program, fields: readonly ProgramField[], { user }: Whose): void {
  if (user !== undefined) return;
  const names = fields.map((field) => `\`${keptName(field)}\``).join(", ");
  throw new RunError(
    "M5359",
    `\`${program.ir.name}\` keeps fields of a user (${names}), and the run has no user`,
    { hint: 'say whose they are: `--user ID`, or `run(input, { user: "ID" })`' },
  );
}

function assertFits(
  { program, field, place }: { program: Program; field: ProgramField; place: KeptPlace },
  { scope, owner, value, runId }: KeptField,
): void {
  const misfit = fieldMisfit(program, field, value);
  if (misfit === undefined) return;
  const name = keptName(field);
  const who = writerOf(place.recordsOf(runId), field);
  const at = who === undefined ? "" : `, at \`${who}\``;
  const by = runId === "" ? "a person wrote it" : `run \`${shortRunId(runId)}\` wrote it${at}`;
  const of = scope === "user" ? `--user ${owner}` : owner;
  throw new RunError(
    "M5351",
    `what is kept of \`${name}\` for ${scope} \`${owner}\` does not fit the field: ${describeMisfit(shownMisfit(misfit, program, field))}; ${by}`,
    {
      hint: `\`madrigal threads show ${of}\` shows it; \`madrigal threads edit ${of} --set JSON\`, \`madrigal threads reset ${of} ${name}\` or \`madrigal threads migrate ${of} --with FILE.ts\` changes it; or give the field of another type another name`,
    },
  );
}

/** Without the value where it is private: the field, or the member of it that does not fit. */
export function shownMisfit(
  misfit: Misfit,
  { ir }: Pick<Program, "ir">,
  { implied, ir: { name } }: ProgramField,
): Misfit {
  const members = misfit.path.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const names = [implied?.name ?? name, ...members];
  const value = Object.fromEntries(names.map((one) => [one, misfit.found]));
  const shown = PrivateValues.of(ir)?.hide(value) ?? value;
  return isDeepStrictEqual(shown, value) ? misfit : { ...misfit, found: "a private value" };
}

/** The node that wrote a field last. */
function writerOf(records: readonly LogRecord[], field: ProgramField): string | undefined {
  const names = [field.ir.name, keptName(field)];
  const last = records.findLast(
    (record) =>
      record.kind === "commit" && record.writes.some((write) => names.includes(write.field)),
  );
  return last?.kind === "commit" ? last.node : undefined;
}

/** Returns the misfit of a value to a field's type; optional values may be null. */
export function fieldMisfit(
  program: Pick<Program, "ir">,
  field: ProgramField,
  value: unknown,
): Misfit | undefined {
  if (field.ir.optional && value === null) return undefined;
  return fieldCheck(program, field).misfit(value);
}

/** Throws M5353 where a setting is not one of the file, or of another type there. */
export function assertConfig(
  { ir }: Program,
  config: Readonly<Record<string, unknown>> | undefined,
): void {
  for (const [name, value] of Object.entries(config ?? {})) {
    if (name === GUARD) {
      // Whoever starts a run may guard it, also where its file says nothing.
      assertGuard(value);
      continue;
    }
    const declared = declaredSetting(ir, name);
    if (declared === undefined) {
      throw new RunError("M5353", `\`${name}\` is no setting of the file, ${usedSettings(ir)}`);
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

/** A setting of the file, or by `Look.width` one of a graph that is called. */
function declaredSetting(ir: Ir, name: string): EntryIr | undefined {
  const [graph, key, ...more] = name.split(".");
  if (more.length > 0) return undefined;
  if (key === undefined) return ir.config.find((entry) => entry.key === name);
  const called = ir.graphs?.find((one) => one.name === graph);
  return key === GUARD ? undefined : called?.config.find((entry) => entry.key === key);
}

function usedSettings({ config, graphs = [] }: Ir): string {
  const called = graphs.flatMap((graph) =>
    graph.config.filter(({ key }) => key !== GUARD).map(({ key }) => `${graph.name}.${key}`),
  );
  const names = [...config.map(({ key }) => key), ...called].map((name) => `\`${name}\``);
  return names.length === 0
    ? "which the graph uses none of"
    : `of which the graph uses ${names.join(", ")}`;
}
