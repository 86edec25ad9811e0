/** The state as the stored patches alone tell it: no graph, no reducer, no expression. */

import { pathOf } from "../history/log-path.ts";
import type { LogRecord } from "../records/records.ts";
import type { NumberedIr } from "../scheduler/program/numbering.ts";
import type { Patch } from "../state/patch.ts";

/** Folds what each record on the path to where the run stands says it changed. */
export function foldPatches(records: readonly LogRecord[]): Readonly<Record<string, unknown>> {
  let state: unknown = {};
  for (const record of pathOf(records)) {
    if (record.kind === "run") state = copied(record.state);
    if (record.kind === "control" && record.verb === "resume" && record.ir !== undefined) {
      state = withFieldsOf(record.ir, state as Record<string, unknown>);
    }
    if ("patches" in record) for (const patch of record.patches ?? []) apply(state, patch);
  }
  return state as Record<string, unknown>;
}

/** With another program, fields are called what that one calls them, and those that it adds have begun. */
function withFieldsOf(
  { fieldNames = {}, added = {} }: NumberedIr,
  state: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const nowCalled = new Map(
    Object.entries(fieldNames).flatMap(([now, former]) =>
      former.map((name) => [name, now] as const),
    ),
  );
  const renamed = Object.entries(state).map(([name, value]) => [
    nowCalled.get(name) ?? name,
    value,
  ]);
  return { ...copied(added), ...Object.fromEntries(renamed) };
}

/** In place: nobody else holds this state. */
function apply(state: unknown, { op, path, value }: Patch): void {
  let at = state;
  for (const step of path.slice(0, -1)) at = (at as Record<string | number, unknown>)[step];
  const last = path.at(-1) ?? "";
  if (Array.isArray(at)) {
    applyToList(at, { op, last, value });
    return;
  }
  const object = at as Record<string | number, unknown>;
  if (op === "remove") delete object[last];
  else define(object, String(last), copied(value));
}

function applyToList(
  list: unknown[],
  { op, last, value }: { op: Patch["op"]; last: string | number; value: unknown },
): void {
  if (last === "length") list.length = Number(value);
  else if (op === "remove") list.splice(Number(last), 1);
  else if (op === "add") list.splice(Number(last), 0, copied(value));
  else list[Number(last)] = copied(value);
}

/** Also a member that is called `__proto__`. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function copied<T>(value: T): T {
  return structuredClone(value);
}
