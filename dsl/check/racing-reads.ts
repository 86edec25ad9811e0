import type { Ir } from "../ir.ts";
import { type Writer, writersOf } from "./concurrent-writers.ts";
import type { GraphCheck } from "./context.ts";
import type { Overlap } from "./overlap.ts";
import { type Read, readsOf } from "./reads.ts";

/** Warns of a prompt or an argument that reads what another side of a fork writes meanwhile: it sees the older value. */
export function checkRacingReads(ir: Ir, overlap: Overlap, check: GraphCheck): void {
  const writers = Map.groupBy(writersOf(ir, check), (writer) => writer.field);
  const reported = new Set<string>();
  for (const read of readsOf(ir)) {
    const key = `${read.place} ${read.field}`;
    const writer = racing(read, writers.get(read.field) ?? [], overlap);
    if (writer === undefined || reported.has(key)) continue;
    reported.add(key);
    check.report({
      code: "M3216",
      severity: "warning",
      message: `\`${read.place}\` reads \`${read.field}\` while \`${writer.node}\` may write it`,
      span: read.span,
      hint: "it sees the value from before they parted; let one of them wait for the other",
      related: [{ span: writer.span, message: `\`${writer.node}\` writes it here` }],
    });
  }
}

/** Conditions behind a node are not meant: they ask for what that node has just done. */
function racing(read: Read, writers: readonly Writer[], overlap: Overlap): Writer | undefined {
  if (read.sees === "after") return undefined;
  return writers.find((writer) => overlap.isForked(read.place, writer.node));
}
