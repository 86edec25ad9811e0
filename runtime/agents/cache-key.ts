/** Lists what the output of an attempt depends on beside its program: a change there makes another output. */
import type { DottedIr, Ir, NodeIr } from "../../dsl/index.ts";
import type { Attempt } from "../performer.ts";
import { contextFunction } from "../scheduler/attempts/attempt-view.ts";
import type { ModelHandle } from "./models/model-handle.ts";
import type { Scope } from "./scope/scope.ts";

export interface CacheKeySources {
  readonly model: (node: NodeIr, ir: Ir) => ModelHandle;
  readonly scope: (file: string | undefined) => Scope;
  /** Returns the code of a name with the code that it calls of the same scope. */
  readonly codeOf: (name: DottedIr, scope: Scope) => string | undefined;
}

/** The model with its source and settings, and the code of functions and tools, with what that calls of the same scope. */
export function madeOf({ node, ir }: Attempt, { model, scope, codeOf }: CacheKeySources): unknown {
  const names = scope(ir.source?.file);
  const shown = contextFunction(node);
  const callee = [
    ...(node.call === undefined ? [] : [node.call.callee]),
    ...(shown ? [shown] : []),
  ];
  const code = [...callee, ...node.tools].map((name) => [
    name.join("."),
    codeOf(name, names) ?? null,
  ]);
  if (node.kind !== "agent" && node.kind !== "router") return { code };
  const { id, source, settings, providerSettings } = model(node, ir);
  return { code, model: { id, source, settings, providerSettings } };
}
