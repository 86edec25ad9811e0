/** Reports the notebook's names to the debugger's panel after each cell, so that asking for them costs nothing. */
import { types } from "node:util";
import { Graph, GraphRun, shortRunId } from "../../runtime/index.ts";
import { counted } from "../display/visible.ts";
import type { Variable } from "../jupyter/debug/protocol.ts";
import { preview, typeOf } from "./preview.ts";

/** The newest; more than a panel can show is in nobody's way. */
const NAMES_MAX = 50;

export function globalsIn(names: Readonly<Record<string, unknown>>): readonly Variable[] {
  return Object.keys(names)
    .slice(-NAMES_MAX)
    .map((name) => ({
      name,
      ...describeValue(() => names[name]),
      evaluateName: name,
      variablesReference: 0,
    }));
}

/** Without calling anything of the value's own. */
function describeValue(read: () => unknown): { readonly value: string; readonly type: string } {
  try {
    const value = read();
    return { value: shortValueText(value), type: typeOf(value) };
  } catch {
    return { value: "(throws when it is looked at)", type: "unknown" };
  }
}

function shortValueText(value: unknown): string {
  if (value instanceof Graph) return `graph ${value.name}`;
  if (value instanceof GraphRun)
    return `run ${shortRunId(value.id)} of ${value.graph}: ${value.status}`;
  if (typeof value === "function") return "function";
  if (typeof value === "symbol") return value.toString();
  if (typeof value !== "object" || value === null) return preview(value);
  if (types.isProxy(value)) return "proxy";
  if (Array.isArray(value)) return counted(value.length, "element");
  const { constructor: made } = Object.getPrototypeOf(value) ?? {};
  return typeof made === "function" && made !== Object ? made.name : "object";
}
