/** Resolves what a place of a run may name: fields, arguments, messages, artifacts, fields that a called graph shares. */

import { type CountIr, type ExprIr, type FieldIr, type Ir, toJsonSchema } from "../../dsl/index.ts";
import type { Artifact } from "../artifact.ts";
import type { Sent } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import type { LoggedWrite } from "../records/records.ts";
import { plain } from "../state/persistent.ts";
import { NOW, resultOf } from "./expressions/calls.ts";
import { evaluate, type Lookup, type ScopeCall } from "./expressions/evaluate.ts";
import { EvaluationError } from "./expressions/evaluation-errors.ts";
import { isKept, itemView, keptView, linkReducer, ownValue, viewOf } from "./frames.ts";
import { shownMessage } from "./mail.ts";
import type { Program, ProgramField } from "./program/program.ts";
import { recalledValues } from "./recalls.ts";
import type { SnapshotDraft } from "./snapshot/draft.ts";
import type { FrameWrite } from "./snapshot/parts.ts";
import { type Child, type NodeRun, ROOT, type Snapshot } from "./snapshot/snapshot.ts";
import { countedAt } from "./visits.ts";

// Resolves names at a place of a run: in a node, or on the way from one node to the next.

export interface Standpoint {
  readonly frame: number;
  readonly scope: number;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** The output of the node that has just run. */
  readonly result?: unknown;
  /** The failure for which an arrow is taken. */
  readonly error?: ShownFailure | undefined;
  /** The messages that the node found in its inbox. */
  readonly inbox?: readonly Sent[] | undefined;
  /** The node itself: of the others it is told as its team. */
  readonly node?: number;
  /** The round of a node with `every`, from 1. */
  readonly round?: number | undefined;
  /** An item that has no scope yet: the `each` asks whether it should run. */
  readonly item?: { readonly variable: string; readonly value: unknown };
}

export function lookupAt(program: Program, snapshot: Snapshot, at: Standpoint): Lookup {
  const lookup: Lookup = (name, of) => {
    switch (of) {
      case "variable":
        return at.item?.variable === name
          ? at.item.value
          : itemOf(program, snapshot, at.scope, name);
      case "argument":
        return at.args?.[name];
      case "param":
        return ownMember(snapshot.input, name);
      case "field":
        return fieldAt(program, snapshot, at, name);
      case "special":
        return specialOf(program, snapshot, at, name);
      case "config":
        return settingOf(program.ir, name, snapshot.config);
      case "scope":
        return (call: ScopeCall) => resultOf(program.functions, { name, ...call });
      case "model":
        return name;
      case "type":
        return schemaOfType(program.ir, name);
      case "node":
        return undefined;
      case "memory":
        return recalledValues({ program, node: nodeAt(program, at), count, lookup }, name);
    }
  };
  const count = (top: CountIr) => countIn(top, lookup);
  return lookup;
}

function nodeAt({ nodes }: Program, { node }: Pick<Standpoint, "node">) {
  return nodes[node ?? -1]?.ir;
}

/** The values that a node recalls of one of its memories by other words than its own. */
export function recalledBy(
  program: Program,
  snapshot: Snapshot,
  at: Standpoint,
  of: { readonly memory: string; readonly words: string },
): readonly unknown[] {
  const lookup = lookupAt(program, snapshot, at);
  const count = (top: CountIr) => countIn(top, lookup);
  const place = { program, node: nodeAt(program, at), count, lookup };
  return recalledValues(place, of.memory, of.words) ?? [];
}

/** A number that the text says, or that a parameter or a setting has. */
export function countIn(count: CountIr, lookup: Lookup): number {
  if (typeof count === "number") return count;
  const value = lookup(count.name, "param") ?? lookup(count.name, "config");
  if (typeof value === "number") return value;
  throw new EvaluationError(`\`${count.name}\` is not a number`);
}

/** The JSON Schema of a type that the graph names. */
function schemaOfType({ types }: Ir, name: string): unknown {
  const known = new Map(types.map((one) => [one.name, one.type]));
  return toJsonSchema({ kind: "named", name, args: [] }, known).schema;
}

function fieldAt(program: Program, snapshot: Snapshot, at: Standpoint, name: string): unknown {
  const index = program.fieldNumbers.get(name) ?? -1;
  return program.fields[index]?.ir.scope === "agent"
    ? ownValue(snapshot, at.scope, index)
    : keptView(snapshot, at.frame, index);
}

/** The state as a node sees it, by field name, with the run's input. */
export function stateAt(program: Program, snapshot: Snapshot, frame: number) {
  const fields = program.fields.flatMap(({ ir, index, implied }) =>
    ir.scope === "agent" || implied !== undefined
      ? []
      : [[ir.name, seenAt(snapshot, frame, { ir, index })] as const],
  );
  return { ...snapshot.input, ...Object.fromEntries(fields) };
}

function seenAt(
  snapshot: Snapshot,
  frame: number,
  { ir, index }: Pick<ProgramField, "ir" | "index">,
): unknown {
  if (ir.scope !== "item") return viewOf(snapshot, frame, index);
  return plain(itemView(snapshot, frame, index));
}

/** The state that people see, by field name. */
export function shownState(
  program: Program,
  { shown }: Pick<Snapshot, "shown">,
): Record<string, unknown> {
  return Object.fromEntries(
    program.fields.flatMap(({ ir, index }) => {
      const one = shown.get(index);
      return one === undefined ? [] : [[ir.name, plain(one.value)] as const];
    }),
  );
}

/** One field of it; `undefined` where nobody has written it. */
export function shownField(
  program: Program,
  { shown }: Pick<Snapshot, "shown">,
  name: string,
): unknown {
  return plain(shown.get(program.fieldNumbers.get(name) ?? -1)?.value);
}

/** The value of an `each` variable: the item whose scope this is, or the nearest one around it that has the name. */
export function itemOf(program: Program, snapshot: Snapshot, scope: number, name: string): unknown {
  for (let at = snapshot.scopes.get(scope); at !== undefined; at = snapshot.scopes.get(at.parent)) {
    if (at.detached !== undefined) return ownMember(at.detached, name);
    const expansion = snapshot.expansions.get(at.expansion);
    if (expansion === undefined) return undefined;
    if (program.eaches[expansion.each]?.ir.variable === name) {
      return at.streamed === undefined ? expansion.items[at.index] : at.streamed.value;
    }
  }
  return undefined;
}

function specialOf(program: Program, snapshot: Snapshot, at: Standpoint, name: string): unknown {
  switch (name) {
    case "result":
      return at.result;
    case "error":
      return at.error;
    case "state":
      return stateAt(program, snapshot, at.frame);
    case "artifacts":
      return snapshot.artifacts.map(shownArtifact);
    case "inbox":
      return (at.inbox ?? []).map(shownMessage);
    case "team":
      return teamOf(program, at.node);
    case "run":
      return runWords(program, snapshot, at);
    case "visits":
    case "round":
      return (node: string) => countedAt(program, snapshot, at.scope, { count: name, node });
    default:
      return undefined;
  }
}

/** A failure as expressions see it. */
export interface ShownFailure {
  readonly node: string;
  readonly class: string;
  readonly code: string;
  readonly message: string;
  /** From `node` inwards, where it is one of a called graph or a plan. */
  readonly path: readonly string[];
}

export function shownFailure(
  node: string,
  { class: kind, code, message, path = [node] }: Failure,
): ShownFailure {
  return { node, class: kind, code, message, path };
}

function runWords(
  program: Program,
  { usage, steps, activeMs }: Snapshot,
  { round }: Standpoint,
): object {
  const of = round === undefined ? {} : { round };
  const words = { cost: usage.costUsd, steps, time: activeMs, ...of };
  // Who shows the whole of it reads no clock.
  const now = () => resultOf(program.functions, { name: NOW, args: [] }).value;
  const date = () => new Date(Number(now())).toISOString().slice(0, "2026-01-31".length);
  return Object.defineProperties(words, {
    now: { get: now, enumerable: false },
    date: { get: date, enumerable: false },
  });
}

/** Not what every object has: a parameter may be called `toString`. */
export function ownMember(of: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/** A setting of the file, unless the run has another one; it may name those above it. */
export function settingOf(
  { config }: Pick<Ir, "config">,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): unknown {
  if (Object.hasOwn(given, name)) return given[name];
  const at = config.findIndex(({ key }) => key === name);
  const above = { config: config.slice(0, Math.max(0, at)) };
  const entry = config[at];
  const lookup: Lookup = (other, of) => {
    if (of === "model") return other;
    return of === "config" ? settingOf(above, other, given) : undefined;
  };
  return entry && evaluate(entry.value, lookup);
}

/** The value of an expression that needs no run. */
export function constant(expression: ExprIr): unknown {
  const noNames = (): undefined => undefined;
  return evaluate(expression, noNames);
}

/** Lists the other nodes that have a description, each with the names of its tools. */
function teamOf({ nodes }: Program, node: number | undefined): readonly unknown[] {
  return nodes.flatMap(({ index, ir: { name, description, tools } }) =>
    description === undefined || index === node
      ? []
      : [{ name, description, tools: tools.map((tool) => tool.join(".")) }],
  );
}

// Collects what node runs keep: an attempt's effects make artifacts, its commit gives them to the run.

/** Returns the artifacts that a commit adds to its run. */
export function artifactsOf(
  { scopes }: Snapshot,
  run: NodeRun,
  producer: string,
): readonly Artifact[] {
  const { made = NONE } = run;
  if (made.length === 0) return NONE;
  const scope = scopes.get(run.scope);
  const of = { producer, nodeRun: run.id };
  const item = scope === undefined || scope.expansion === -1 ? {} : { item: scope.index };
  return made.map((one) => ({ ...one, ...of, ...item }));
}

export function addArtifacts(draft: SnapshotDraft, more: readonly Artifact[] = []): void {
  if (more.length > 0) draft.artifacts = [...draft.artifacts, ...more];
}

const NONE: readonly never[] = [];

/** An artifact as expressions and prompts see it. */
function shownArtifact({ hash: _, nodeRun: __, ...shown }: Artifact): unknown {
  return shown;
}

// Fields of threads and users in called graphs. They are the run's: the calling graph has each of them, under its
// own name where it declares it too, else under one that no field of a text can have (`thread.seen`). A call begins
// with what the caller sees of them, and the commit that ends it writes there what the called graph wrote.

/** The fields that a graph has for those that it calls, directly or not, numbered behind its own. */
export function impliedFields(ir: Ir): readonly ProgramField[] {
  const known = new Set(ir.fields.map(keyOf));
  const implied: ProgramField[] = [];
  for (const graph of ir.graphs ?? []) {
    for (const field of graph.fields) {
      if (field.scope !== "thread" && field.scope !== "user") continue;
      if (known.has(keyOf(field))) continue;
      known.add(keyOf(field));
      const index = ir.fields.length + implied.length;
      implied.push({
        index,
        ir: impliedIr(field),
        reducer: linkReducer(field.reducer, { field, types: graph.types }, otherFile(ir, graph)),
        implied: { name: field.name, graph },
      });
    }
  }
  return implied;
}

/** The file of a called graph, where that is another one. */
function otherFile({ source }: Ir, called: Omit<Ir, "graphs">): string | undefined {
  const { file } = called.source ?? {};
  return file === source?.file ? undefined : file;
}

function keyOf({ scope, name }: FieldIr): string {
  return `${scope}.${name}`;
}

/** Without a default that names what only the called graph has. */
function impliedIr({ default: value, span: _, ...field }: FieldIr): FieldIr {
  const named = { ...field, name: keyOf(field), optional: true };
  if (value === undefined) return named;
  try {
    constant(value);
    return { ...named, default: value };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return named;
  }
}

/** The name under which a field is stored. */
export function keptName({ ir, implied }: Pick<ProgramField, "ir" | "implied">): string {
  return implied?.name ?? ir.name;
}

/** Returns the lasting fields with which a called graph begins: as its caller sees them. */
export function keptForCalled(
  { fields }: Program,
  snapshot: Snapshot,
  { frame, called }: { readonly frame: number; readonly called: Program },
): Readonly<Record<string, unknown>> | undefined {
  if (!called.keeps) return undefined;
  const found = called.fields.flatMap((field) => {
    const own = isKept(field) ? sameField(fields, field) : undefined;
    const value = own && viewOf(snapshot, frame, own.index);
    return value === undefined ? [] : [[field.ir.name, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Returns the writes of an ended called graph to lasting fields, as writes of the node run that called it. */
export function writesOfCalled({ fields }: Program, child: Child): readonly LoggedWrite[] {
  const { program, snapshot } = child;
  if (snapshot.kept.length === 0) return [];
  const byField = Map.groupBy(snapshot.kept, ({ field }) => field);
  return program.fields.flatMap((field): readonly LoggedWrite[] => {
    const writes = byField.get(field.index) ?? [];
    const own = writes.length === 0 ? undefined : sameField(fields, field);
    return own === undefined ? [] : asWrites(own, snapshot, { field, writes });
  });
}

function asWrites(
  { ir: { name } }: ProgramField,
  snapshot: Snapshot,
  { field, writes }: { readonly field: ProgramField; readonly writes: readonly FrameWrite[] },
): readonly LoggedWrite[] {
  // One that went past the field's reducer can't be repeated with it: then what came of all of them stands for them.
  if (writes.some(({ via }) => via !== undefined))
    return [{ field: name, value: viewOf(snapshot, ROOT, field.index), via: "replace" }];
  return writes.map(({ value }) => ({ field: name, value }));
}

function sameField(fields: readonly ProgramField[], field: ProgramField): ProgramField | undefined {
  const name = keptName(field);
  return fields.find((one) => one.ir.scope === field.ir.scope && keptName(one) === name);
}
