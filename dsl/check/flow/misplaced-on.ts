/** Reports `on` behind arrows that leave no node. */
import type { GraphCheck } from "../context.ts";

/** An arrow is taken `on` what happens to the node that it leaves; inside a group it leaves none. */
export function checkMisplacedOn({ hops, report }: GraphCheck): void {
  for (const { hop, canBeOn } of hops)
    for (const clause of hop.clauses)
      if (clause.kind === "on" && !canBeOn)
        report({
          code: "M3213",
          message: "`on` belongs to an arrow that leaves a node or an `each`",
          span: clause.span,
          hint: `write it as its own line: \`node -> other on ${clause.what.text}\``,
        });
}
