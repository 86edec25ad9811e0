/** Reports from live drawings of runs each node run that ended, once. */
import type { Published } from "./collect-outputs.ts";

export const RUN_MIME = "application/vnd.madrigal.run+json";

export interface EndedNode {
  /** `search#2`: the second run of node `search`. */
  readonly label: string;
  readonly status: string;
  readonly durationMs: number | undefined;
}

const ENDED = ["succeeded", "failed", "aborted", "skipped"];

/** The returned function takes what a kernel publishes and tells each node run once. */
export function createRunProgress(tell: (node: EndedNode) => void): (of: Published) => void {
  const reported = new Set<string>();
  return ({ content }) => {
    const { run_id, nodes } = objectOf(objectOf(content.data)[RUN_MIME]);
    if (!Array.isArray(nodes)) return;
    for (const node of nodes.map(objectOf)) {
      const label = `${node.node}#${node.ordinal}`;
      const status = String(node.status);
      const key = `${run_id} ${label} ${status}`;
      if (!ENDED.includes(status) || reported.has(key)) continue;
      reported.add(key);
      const { duration_ms } = node;
      tell({
        label,
        status,
        durationMs: typeof duration_ms === "number" ? duration_ms : undefined,
      });
    }
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
