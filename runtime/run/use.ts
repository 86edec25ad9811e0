/** What a person has a node use instead of what the program says: read, and looked for before it is logged. */
import { nearest } from "../../dsl/index.ts";
import type { ModelChoice } from "../agents/models/model-handle.ts";
import type { Scope } from "../agents/scope.ts";
import { resolveTools } from "../agents/tools.ts";
import { RunError } from "../failure.ts";
import type { NodeUse } from "../records.ts";
import { toolNamed } from "../scheduler/use.ts";
import type { Run } from "./handle.ts";

export interface UseOptions {
  /** A name of the graph, an id, or a model itself: that one is gone with this process. */
  readonly model?: ModelChoice;
  /** Instead of the node's own: `docs.search`, `docs.*`. */
  readonly tools?: readonly string[];
  /** The text, as it is sent. */
  readonly prompt?: string;
}

/** Throws M8201 for a tool that is not there, and what is wrong with a model. */
export function readUse(
  change: UseOptions,
  { scope, take }: { readonly scope: Scope; readonly take: (choice: ModelChoice) => string },
): NodeUse {
  const { model, tools } = change;
  if (tools !== undefined) resolveTools(tools.map(toolNamed), scope);
  return {
    ...plainUse(change),
    ...(model === undefined ? {} : { model: take(model) }),
  };
}

/** Where nobody can say what there is. */
export function plainUse({ model, tools, prompt }: UseOptions): NodeUse {
  return {
    ...(typeof model === "string" ? { model } : {}),
    ...(tools === undefined ? {} : { tools: [...tools] }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** Throws M5361 where the run has no such node, or needs none any more. */
export function assertUsable(
  { ir, status, id: runId }: Pick<Run, "status" | "id"> & HasIr,
  node: string,
): void {
  const names = ir.nodes.map(({ name }) => name);
  if (!names.includes(node)) {
    const meant = nearest(node, names);
    throw new RunError("M5361", `\`${ir.name}\` has no node \`${node}\``, {
      hint:
        meant === undefined ? `its nodes are ${names.join(", ")}` : `did you mean \`${meant}\`?`,
      runId,
    });
  }
  if (status !== "succeeded") return;
  throw new RunError("M5361", `run \`${runId}\` has succeeded: no node of it runs any more`, {
    hint: "start a new run",
    runId,
  });
}

interface HasIr {
  readonly ir: { readonly name: string; readonly nodes: readonly { readonly name: string }[] };
}
