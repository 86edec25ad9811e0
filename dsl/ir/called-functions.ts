/** Lists the functions that expressions of a graph call. */
import { isBuiltIn } from "../vocabulary/built-in-functions.ts";

/** The functions of TypeScript that the expressions of a graph call by a plain name; `run x = f()` is no expression. */
export function calledFunctions(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  const own = isCall(part) ? [part.callee.name] : [];
  return [...new Set([...own, ...Object.values(part).flatMap(calledFunctions)])];
}

interface FunctionCallIr {
  readonly callee: { readonly name: string };
}

function isCall(part: object): part is FunctionCallIr {
  if (!("kind" in part) || part.kind !== "call" || !("callee" in part)) return false;
  const callee = part.callee as { readonly kind?: unknown; readonly of?: unknown };
  if (isBuiltIn(callee)) return false;
  return callee.kind === "name" && callee.of === "scope";
}
