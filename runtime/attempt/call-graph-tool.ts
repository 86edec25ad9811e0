/** Runs a graph that an agent calls as a tool: begins it once, and waits until it has ended, however often the attempt begins again. */
import { untilCancelled } from "../agents/abort.ts";
import type { CallGraph } from "../performer.ts";
import { endOfTool, isToolCall } from "../scheduler/call-graph.ts";
import { locate } from "../scheduler/called-snapshots.ts";
import type { Child } from "../scheduler/snapshot/snapshot.ts";
import type { AttemptHost, EffectScene } from "./attempt-host.ts";
import { postAndAwait } from "./post-completion.ts";

/** Calls a graph within one call of an attempt. */
export function callGraphIn(host: AttemptHost, scene: EffectScene): CallGraph {
  const { id, attempt, call, cancellation } = scene;
  return async (tool, input) => {
    if (calledBy(host, scene) === undefined) {
      const at = host.clock.now();
      const called = { kind: "graph-call", id, attempt, call, tool, input, at } as const;
      await postAndAwait(host, called, cancellation);
    }
    const child = calledBy(host, scene);
    if (child === undefined) throw new Error(`M9000: \`${tool}\` was called and has not begun`);
    const end = endOfTool(child) ?? (await untilEnd(host, scene, child));
    if (end === undefined) throw new Error(`M9000: \`${tool}\` has ended without a result`);
    return end;
  };
}

async function untilEnd(host: AttemptHost, { id, cancellation }: EffectScene, child: Child) {
  const end = await untilCancelled(() => host.journal.calledEnd(id), cancellation);
  const { status, output, failure, node } = end;
  const snapshot = { ...child.snapshot, status, output, failure };
  return endOfTool({ ...child, snapshot, ...(node === undefined ? {} : { failedAt: node }) });
}

/** Returns the graph that this call has begun. */
function calledBy(host: AttemptHost, { id, attempt, call }: EffectScene): Child | undefined {
  const child = locate(host.program, host.snapshot(), id)?.snapshot.children.get(id);
  return isToolCall(child, { attempt, call }) ? child : undefined;
}
