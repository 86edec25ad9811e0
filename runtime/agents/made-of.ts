/** With what an attempt would be performed: what has changed there makes another output, whatever the program says. */
import type { DottedIr, Ir, NodeIr } from "../../dsl/index.ts";
import type { Attempt } from "../performer.ts";
import { contextFunction } from "../scheduler/context-function.ts";
import type { ModelHandle } from "./models/model-handle.ts";
import { lookUp, type Scope } from "./scope.ts";
import { functionOf } from "./tools.ts";

export interface Surroundings {
  readonly model: (node: NodeIr, ir: Ir) => ModelHandle;
  readonly scope: (file: string | undefined) => Scope;
}

/** The model with its source and settings, and the code of functions and tools. What their code calls in turn is not seen. */
export function madeOf({ node, ir }: Attempt, { model, scope }: Surroundings): unknown {
  const names = scope(ir.source?.file);
  const shown = contextFunction(node);
  const callee = [
    ...(node.call === undefined ? [] : [node.call.callee]),
    ...(shown ? [shown] : []),
  ];
  const code = [...callee, ...node.tools].map((name) => [name.join("."), codeOf(name, names)]);
  if (node.kind !== "agent" && node.kind !== "router") return { code };
  const { id, source, settings } = model(node, ir);
  return { code, model: { id, source, settings } };
}

function codeOf(name: DottedIr, scope: Scope): unknown {
  const all = name.at(-1) === "*";
  return textOf(lookUp(all ? name.slice(0, -1) : name, scope)?.value, all ? 2 : 1);
}

/** Functions as their text; of objects what is in them, so deep. */
function textOf(value: unknown, depth: number): unknown {
  if (typeof value === "function")
    return Function.prototype.toString.call(functionOf(value) ?? value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return undefined;
  return Object.entries(value).map(([key, member]) => [key, textOf(member, depth - 1)]);
}
