/** Hashes the TypeScript functions of a run, so that a reader of its log can tell when one has changed. */
import { createHash } from "node:crypto";
import type { DottedIr, Ir } from "../../dsl/index.ts";
import { lookUp, type Scope } from "../agents/scope/scope.ts";
import { functionOf } from "../agents/scope/tools.ts";

/** By the names of the functions that nodes call: the sha256 of their text. What can't be found has none. */
export function codeHashes(ir: Ir, scope: Scope): Readonly<Record<string, string>> {
  const named = ir.nodes.flatMap(({ call, tools }): readonly DottedIr[] => [
    ...(call === undefined ? [] : [call.callee]),
    ...tools,
  ]);
  const hashes = named.flatMap((name) => {
    const value = lookUp(name, scope)?.value;
    return typeof value === "function" ? [[name.join("."), hashOf(value)] as const] : [];
  });
  return Object.fromEntries(hashes);
}

function hashOf(value: object): string {
  const text = Function.prototype.toString.call(functionOf(value) ?? value);
  return createHash("sha256").update(text).digest("hex");
}
