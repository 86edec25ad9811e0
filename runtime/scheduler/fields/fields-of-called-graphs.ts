/**
 * Fields of threads and users in called graphs. They are the run's: the calling graph has each of them, under its own
 * name where it declares it too, else under one that no field of a text can have (`thread.seen`). A call begins with what
 * the caller sees of them, and the commit that ends it writes there what the called graph wrote.
 */
import type { FieldIr, Ir } from "../../../dsl/index.ts";
import type { LoggedWrite } from "../../records/records.ts";
import { EvaluationError } from "../expressions/evaluation-error.ts";
import type { Program, ProgramField } from "../program/program.ts";
import type { FrameWrite } from "../snapshot/parts.ts";
import { type Child, ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import { linkReducer } from "./called-reducer.ts";
import { viewOf } from "./frame-view.ts";
import { isKept } from "./lasting-writes.ts";
import { constant } from "./lookup.ts";

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
