/** Lists what the output of an attempt depends on beside its program: a change there makes another output. */
import { type DottedIr, graphsAmong, type Ir, isRecord, type NodeIr } from "../../dsl/index.ts";
import type { Attempt } from "../performer.ts";
import { contextFunction } from "../scheduler/attempts/attempt-view.ts";
import type { SummarizerOf } from "./agent-loop.ts";
import type { ModelHandle } from "./models/model-handle.ts";
import type { Scope } from "./scope/scope.ts";

export interface CacheKeySources {
  readonly model: (node: NodeIr, ir: Ir) => ModelHandle;
  /** The model that a \`context\` names to summarise. */
  readonly summarizer: (of: SummarizerOf) => ModelHandle | undefined;
  readonly scope: (file: string | undefined) => Scope;
  /** Returns the code of a name with the code that it calls of the same scope. */
  readonly codeOf: (name: DottedIr, scope: Scope) => string | undefined;
  /** Returns the hash of the files of a skill. */
  readonly skill: (name: string) => string | undefined;
}

/** The models with their sources and settings, and the code of functions and tools, with what that calls of the same scope. */
export function madeOf(
  { node, ir, context, skills = [] }: Attempt,
  { model, summarizer, scope, codeOf, skill }: CacheKeySources,
): unknown {
  const names = scope(ir.source?.file);
  const shown = contextFunction(node);
  const callee = [
    ...(node.call === undefined ? [] : [node.call.callee]),
    ...(shown ? [shown] : []),
  ];
  const graphs = new Map(graphsAmong(ir, node.tools).map((graph) => [graph.as, graph.ir.hash]));
  const code = [...callee, ...node.tools].map((name) => [
    name.join("."),
    graphs.get(name.join(".")) ?? codeOf(name, names) ?? null,
  ]);
  const taught = skills.map((name) => [name, skill(name) ?? null]);
  const withSkills = taught.length === 0 ? { code } : { code, skills: taught };
  if (node.kind !== "agent" && node.kind !== "router") return withSkills;
  const { by } = summarizing(context);
  const other = by === undefined ? undefined : summarizer({ node, ir, by });
  return {
    ...withSkills,
    model: askedModel(model(node, ir)),
    ...(other === undefined ? {} : { summarizer: askedModel(other) }),
  };
}

/** Returns the part of a model on which its answers depend. */
function askedModel({ id, source, settings, providerSettings }: ModelHandle) {
  return { id, source, settings, providerSettings };
}

/** Reads which model a `context { summarize }` names. */
function summarizing(context: unknown): { readonly by?: string } {
  const summarize = isRecord(context) ? context.summarize : undefined;
  return isRecord(summarize) && typeof summarize.by === "string" ? { by: summarize.by } : {};
}
