/** Finds the steps that wrote a part of a run's state, and every earlier step that may have influenced them. */

import { isRecord, nearest, rolesOf } from "../../dsl/index.ts";
import { partsOfPath } from "../breakpoints/read-breakpoint.ts";
import { RunError } from "../failure.ts";
import { pathOf } from "../history/log-path.ts";
import type { RunView } from "../history/run-view.ts";
import type { LogRecord } from "../records/records.ts";
import { shortRunId } from "../run-names.ts";
import { isJsonEqual } from "../state/json.ts";
import { type Path, valueAt } from "../state/path.ts";
import { whenceOf } from "./patch-way.ts";
import { PathStates, patchesOf } from "./path-states.ts";
import { type Commit, WriterIndex } from "./writer-index.ts";

export interface Blame {
  /** As it was asked for: `plan.steps[2].title`. */
  readonly path: string;
  readonly value: unknown;
  /** The origin of the value: a node run's commit, a failed attempt, an edit by a person, or the start of the run. */
  readonly by: "commit" | "attempt" | "edit" | "start" | "item" | "end";
  /** The commit's step, and its node run. */
  readonly step?: number;
  readonly node?: string;
  readonly attempt?: number;
  /** Its record in the log. */
  readonly seq: number;
  readonly at: number;
  /** The steps that had written what the node could read when it began, by field, oldest first. */
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  /** The steps whose messages it read. */
  readonly senderSteps: readonly number[];
}

/**
 * Finds the writer of the value at a path of the run's own state. An element of a list is followed through insertions
 * and removals before it. Throws M5453 for a path without a value.
 */
export function blame(run: RunView, path: string): Blame {
  const parts = partsOfPath(path);
  const log = new PathLog(run);
  const value = valueAt(run.state, parts);
  const found = value === undefined ? undefined : log.writerOf(parts);
  if (found === undefined) {
    throw new RunError("M5453", `nothing stands at \`${path}\` in run \`${shortRunId(run.id)}\``, {
      hint: whatStands(run, parts),
      runId: run.id,
    });
  }
  return { path, value, ...log.described(found) };
}

/** Says what stands at the longest part of a path at which something does. */
function whatStands({ ir, state }: RunView, parts: Path): string {
  const missing = parts.findIndex((_, at) => valueAt(state, parts.slice(0, at + 1)) === undefined);
  const [field = ""] = parts;
  if (missing < 1) return whatField(ir, state, String(field));
  const known = parts.slice(0, missing);
  const name = known.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`,
    "",
  );
  const value = valueAt(state, known);
  if (Array.isArray(value)) return `\`${name}\` has ${counted(value.length)}, the first is [0]`;
  if (!isRecord(value)) return `\`${name}\` is ${JSON.stringify(value)?.slice(0, 60)}`;
  return `\`${name}\` has ${Object.keys(value).join(", ") || "no members"}`;
}

function whatField(ir: RunView["ir"], state: RunView["state"], field: string): string {
  if (ir.params.some(({ name }) => name === field))
    return `\`${field}\` is a parameter: it is what the run was given, and no step writes it`;
  const isField = ir.fields.some(({ name }) => name === field);
  if (isField) return `\`${field}\` is not written yet`;
  const known = nearest(field, Object.keys(state));
  return known === undefined
    ? `its fields: ${Object.keys(state).join(", ") || "none"}`
    : `did you mean \`${known}\`?`;
}

function counted(length: number): string {
  return length === 1 ? "one element" : `${length} elements`;
}

/**
 * The steps that could have had a part in what stands at a path, oldest first: the one that wrote it, those that wrote what
 * its node could read or sent what it heard, and the same of each of them. With `causes` also those behind whose commits
 * they began.
 */
export function slice(
  run: RunView,
  path: string,
  { causes = false }: { readonly causes?: boolean } = {},
): readonly number[] {
  const log = new PathLog(run);
  const { step } = blame(run, path);
  const steps = new Set<number>();
  const open = step === undefined ? [] : [step];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (steps.has(next)) continue;
    steps.add(next);
    open.push(...log.stepsBehind(next, causes));
  }
  return [...steps].sort((a, b) => a - b);
}

/** The run's own records on the path to where it stands. */
class PathLog {
  readonly #records: readonly LogRecord[];
  readonly #index: WriterIndex;
  readonly #reads: ReadonlyMap<string, readonly string[]>;
  readonly #states: PathStates;
  /** The fields of which the last writer wrote all. */
  readonly #replaced: ReadonlySet<string>;

  constructor(run: RunView) {
    this.#replaced = new Set(
      run.ir.fields.flatMap(({ name, reducer }) => (reducer.name === "replace" ? [name] : [])),
    );
    this.#records = pathOf(run.position.records);
    this.#index = new WriterIndex(this.#records);
    this.#states = new PathStates(this.#records);
    this.#reads = new Map(rolesOf(run.ir).map(({ role, reads }) => [role, reads]));
  }

  /** The record that made what stands at a path what it is. */
  writerOf(path: Path): LogRecord | undefined {
    let at: Path = path;
    for (let index = this.#records.length - 1; index >= 0; index -= 1) {
      const record = this.#records[index];
      if (record === undefined) continue;
      const whence = whenceOf(patchesOf(record), at) ?? this.#moved(index, at);
      if (whence === undefined) return record;
      at = whence;
    }
    return this.#records[0];
  }

  /**
   * Follows an element through a join, which writes the field anew in the order of the graph: the writer of a part is
   * the writer of the equal element in the list before.
   */
  #moved(index: number, at: Path): Path | undefined {
    const [field] = at;
    const record = this.#records[index];
    if (record === undefined || this.#replaced.has(String(field))) return undefined;
    const { before, behind } = this.#states.around(index);
    const value = valueAt(behind, at);
    const isPutInOrder = at.length === 1 && !writesOf(record).some((one) => one.field === field);
    if (isPutInOrder || isJsonEqual(valueAt(before, at), value)) return at;
    const list = valueAt(before, at.slice(0, -1));
    if (typeof at.at(-1) !== "number" || !Array.isArray(list)) return undefined;
    const place = list.findIndex((item) => isJsonEqual(item, value));
    return place === -1 ? undefined : at.with(-1, place);
  }

  described(record: LogRecord): Omit<Blame, "path" | "value"> {
    const commit = record.kind === "commit" ? record : undefined;
    const { seq, at } = record;
    return {
      ...(commit === undefined ? {} : { step: commit.step }),
      ...("node" in record && record.node !== undefined ? { node: record.node } : {}),
      ...("attempt" in record && record.attempt !== undefined ? { attempt: record.attempt } : {}),
      by: kindOf(record),
      seq,
      at,
      inputs: commit === undefined ? {} : this.#inputsOf(commit),
      senderSteps: commit === undefined ? [] : this.#heardBy(commit),
    };
  }

  /** Returns the steps from which a step could follow directly. */
  stepsBehind(step: number, withCause: boolean): readonly number[] {
    const commit = this.#index.commitOf(step);
    if (commit === undefined) return [];
    const cause = withCause ? this.#index.causeOf(commit) : undefined;
    return [
      ...Object.values(this.#inputsOf(commit)).flat(),
      ...this.#heardBy(commit),
      ...(cause === undefined ? [] : [cause.step]),
    ];
  }

  #inputsOf(commit: Commit): Readonly<Record<string, readonly number[]>> {
    const fields = this.#reads.get(commit.node) ?? [];
    const began = this.#index.beganAt(commit);
    const written = fields.map((field) => [field, this.#index.writersOf(field, began)] as const);
    return Object.fromEntries(written.filter(([, steps]) => steps.length > 0));
  }

  #heardBy({ read = [] }: Commit): readonly number[] {
    return this.#index.sendersOf(read);
  }
}

function writesOf(record: LogRecord): readonly { readonly field: string }[] {
  if (record.kind === "edit") return Object.keys(record.values).map((field) => ({ field }));
  return "writes" in record ? (record.writes ?? []) : [];
}

function kindOf({ kind }: LogRecord): Blame["by"] {
  if (kind === "commit" || kind === "attempt" || kind === "edit" || kind === "item") return kind;
  return kind === "end" ? "end" : "start";
}
