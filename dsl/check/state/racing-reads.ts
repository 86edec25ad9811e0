/** Warns of reads of a field that another branch writes meanwhile, unless the program says that they are meant. */
import { findByName } from "../../ir/find-by-name.ts";
import { clausesOf } from "../../lower/clauses.ts";
import { declaredNodes } from "../../names/symbols.ts";
import type { FlowCheck } from "../context.ts";
import type { FieldWriter, Overlap } from "../facts.ts";
import type { FieldRead } from "./reads.ts";

/** Warns of a prompt or an argument that reads what another side of a fork writes meanwhile: it sees the older value. */
export function checkRacingReads(check: FlowCheck): void {
  const { overlap } = check;
  if (!overlap.hasFork()) return;
  const keyOf = (field: string, node: string) => `${overlap.groupOf(node) ?? ""} ${field}`;
  const writers = Map.groupBy(check.writers, ({ field, node }) => keyOf(field, node));
  const reported = new Set<string>();
  for (const read of check.reads) {
    const key = `${read.place} ${read.field}`;
    if (overlap.groupOf(read.place) === undefined || reported.has(key)) continue;
    if (findByName(check.ir.nodes, read.place)?.earlier?.includes(read.field) === true) continue;
    const writer = racing(read, writers.get(keyOf(read.field, read.place)) ?? [], overlap);
    if (writer === undefined) continue;
    reported.add(key);
    const [, ways] = overlap.ways(read.place, writer.node) ?? [];
    const way = ways === undefined ? "" : `, on the way \`${ways.join(" -> ")}\``;
    check.report({
      code: "M3216",
      severity: "warning",
      message: `\`${read.place}\` reads \`${read.field}\` while \`${writer.node}\` may write it`,
      span: read.span,
      hint: `it reads the value from before the branches split: write \`reads earlier ${read.field}\` if that is meant, or let one of them wait for the other`,
      related: [{ span: writer.span, message: `\`${writer.node}\` writes it here${way}` }],
    });
  }
}

/** Warns of `reads earlier f` where no node that runs at the same time writes `f`. */
export function checkEarlierReads({ symbols, writers, overlap, report }: FlowCheck): void {
  for (const node of declaredNodes(symbols.graph))
    for (const clause of clausesOf(node, symbols)) {
      if (clause.kind !== "reads") continue;
      for (const { text, span } of clause.earlier ?? []) {
        const isWritten = writers.some(
          (writer) => writer.field === text && overlap.has(node.name.text, writer.node),
        );
        if (isWritten) continue;
        report({
          code: "M3242",
          severity: "warning",
          message: `nothing writes \`${text}\` while \`${node.name.text}\` runs`,
          span,
          hint: `leave out \`earlier\`: \`reads ${text}\``,
        });
      }
    }
}

/** Conditions behind a node are not meant: they ask for what that node has just done. */
function racing(
  read: FieldRead,
  writers: readonly FieldWriter[],
  overlap: Overlap,
): FieldWriter | undefined {
  if (read.sees === "after") return undefined;
  // `detached` says that no other node waits for what the work writes.
  return writers.find(
    ({ node }) => overlap.isForked(read.place, node) && !overlap.isBeside(node, read.place),
  );
}
