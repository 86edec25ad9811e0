import type { NodeIr } from "../ir.ts";
import type { NodeCheck } from "./context.ts";
import { readsIn } from "./reads.ts";

/** Behind `reads` a node sees those fields and no others: what it is told may not name another one. */
export function checkReadsListed({ node, clauses, ir, symbols, report }: NodeCheck): void {
  if (clauses.every((clause) => clause.kind !== "reads")) return;
  const lowered = ir.nodes.find(({ name }) => name === node.name.text);
  const listed = lowered?.reads;
  if (lowered === undefined || listed === undefined) return;
  // Another field may have been meant by a name that is unknown.
  if (!listed.every((name) => symbols.fields.has(name) || symbols.params.has(name))) return;
  const reported = new Set<string>();
  for (const { field, span } of readsIn(toldIn(lowered), lowered.name, "before")) {
    const isOwn = symbols.fields.get(field)?.owner === lowered.name;
    if (listed.includes(field) || isOwn || reported.has(field)) continue;
    reported.add(field);
    report({
      code: "M3106",
      message: `\`${lowered.name}\` does not see \`${field}\`: its \`reads\` does not list it`,
      span,
      hint: `write \`reads ${[...listed, field].join(", ")}\``,
    });
  }
}

/** What a node is given before its work; what stands behind it sees all that the run knows. */
function toldIn({ prompt, system, ask, context, call }: NodeIr): readonly unknown[] {
  return [prompt, system, ask, context, call];
}
