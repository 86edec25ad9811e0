/** Reports reads of fields that a node's `reads` leaves out. */
import { findByName } from "../../ir/find-by-name.ts";
import type { ExprIr, NodeIr } from "../../ir/ir.ts";
import { walk } from "../../ir/visit-tree.ts";
import type { FieldSymbol } from "../../names/symbol-tables.ts";
import type { NodeCheck } from "../context.ts";

/** Behind `reads` a node sees those fields and no others: what it is told may not name another one. */
export function checkReadsListed({ node, clauses, ir, symbols, report }: NodeCheck): void {
  if (clauses.every((clause) => clause.kind !== "reads")) return;
  const lowered = findByName(ir.nodes, node.name.text);
  const listed = lowered?.reads;
  if (lowered === undefined || listed === undefined) return;
  // Another field may have been meant by a name that is unknown.
  if (!listed.every((name) => symbols.fields.has(name) || symbols.params.has(name))) return;
  const asWritten = (name: string) =>
    lowered.earlier?.includes(name) === true ? `earlier ${name}` : name;
  const reported = new Set<string | undefined>();
  for (const { field, span } of seenIn(toldIn(lowered))) {
    const isNodes = field !== undefined && isOwn(symbols.fields.get(field), lowered.name);
    const isHidden = field === undefined || (symbols.fields.has(field) && !listed.includes(field));
    if (!isHidden || isNodes || reported.has(field)) continue;
    reported.add(field);
    const why = `its \`reads\` does not list ${field === undefined ? "all of it" : "it"}`;
    report({
      code: "M3106",
      message: `\`${lowered.name}\` does not see \`${field ?? "state"}\`: ${why}`,
      span,
      hint:
        field === undefined
          ? `name what it sees: ${listed.map((name) => `\`${name}\``).join(", ")}`
          : `write \`reads ${[...listed.map(asWritten), field].join(", ")}\``,
    });
  }
}

function isOwn(field: FieldSymbol | undefined, node: string): boolean {
  return field?.scope === "agent" && field.owner === node;
}

/**
 * Returns the parts of a node that are evaluated before its work begins. Other parts see the whole
 * state, even with `reads`.
 */
function toldIn({ prompt, system, ask, context, call }: NodeIr): readonly unknown[] {
  return [prompt, system, ask, context, call];
}

interface SeenReads {
  /** Undefined for the whole `state`. */
  readonly field: string | undefined;
  readonly span: { readonly start: number; readonly end: number };
}

/** The fields that a part of the IR shows, by their own names or as members of `state`. */
function seenIn(part: unknown): readonly SeenReads[] {
  const seen: SeenReads[] = [];
  const shownInPart = new Set<object>();
  walk(part, (found) => {
    const expr = found as unknown as ExprIr;
    const [start, end] = expr.span ?? [0, 0];
    const add = (field: string | undefined) => seen.push({ field, span: { start, end } });
    if ((expr.kind === "member" || expr.kind === "index") && isState(expr.object)) {
      const field = expr.kind === "member" ? expr.name : literalText(expr.index);
      if (field === undefined) return;
      shownInPart.add(expr.object);
      add(field);
    } else if (expr.kind === "name" && expr.of === "field") add(expr.name);
    else if (isState(expr) && !shownInPart.has(expr)) add(undefined);
  });
  return seen;
}

function isState(expr: ExprIr): boolean {
  return expr.kind === "name" && expr.of === "special" && expr.name === "state";
}

function literalText(expr: ExprIr): string | undefined {
  return expr.kind === "literal" && typeof expr.value === "string" ? expr.value : undefined;
}
