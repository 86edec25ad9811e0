/** Warns of parameters, memories and defaults that nothing uses. */
import { findByName } from "../../ir/find-by-name.ts";
import { clausesOf, ownClauses } from "../../lower/clauses.ts";
import { referencesOf } from "../../lower/references.ts";
import { declaredNodes } from "../../names/symbols.ts";
import type { Name } from "../../syntax/tree/ast.ts";
import type { FlowCheck, SoundGraph } from "../context.ts";
import type { Report } from "../report.ts";
import { seesWholeState } from "../state/reading.ts";

/** Warns of parameters of the graph and of nodes that nothing reads. */
export function checkUnusedParams({ ir, symbols, reading, listed, report }: SoundGraph): void {
  for (const { name } of symbols.graph.params) {
    const isUsed = reading.names.has(name.text) || seesWholeState(reading);
    if (!isUsed && !listed.has(name.text)) reportUnused(name, "parameter", report);
  }
  for (const node of declaredNodes(symbols.graph)) {
    if (node.params.length === 0) continue;
    const lowered = findByName(ir.nodes, node.name.text);
    const used = referencesOf({ ...lowered, params: [] }).names;
    for (const { name } of node.params)
      if (!used.has(name.text)) reportUnused(name, "parameter", report);
  }
}

/** Warns of a memory of the graph that no node recalls or stores in. */
export function checkUnusedMemories({ ir, symbols, report }: FlowCheck): void {
  for (const item of symbols.graph.items)
    if (item.kind === "memory" && !ir.memories.some(({ name }) => name === item.name.text))
      reportUnused(item.name, "memory", report);
}

/** Warns of a policy in `defaults { }` that every node says for itself, or that means nothing in any of them. */
export function checkUnusedDefaults({ symbols, report }: FlowCheck): void {
  const nodes = declaredNodes(symbols.graph);
  for (const { kind, span } of symbols.defaults) {
    const isTaken = nodes.some(
      (node) =>
        clausesOf(node, symbols).some((clause) => clause.kind === kind) &&
        ownClauses(node).every((clause) => clause.kind !== kind),
    );
    if (!isTaken) reportUnused({ text: kind, span }, "default", report);
  }
}

/** Warns of a name that is declared and not used. */
export function reportUnused(name: Name, what: string, report: Report): void {
  report({
    code: "M2301",
    severity: "warning",
    message: `nothing uses the ${what} \`${name.text}\``,
    span: name.span,
    hint: "use it, or remove it",
  });
}
