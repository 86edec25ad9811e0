/** Warns of an index that is kept while its list is replaced. */
import type { AssignIr, ExprIr, Ir } from "../../ir/ir.ts";
import { walk } from "../../ir/visit-tree.ts";
import { referencesOf } from "../../lower/references.ts";
import type { FlowCheck } from "../context.ts";
import type { FieldWriter } from "../facts.ts";
import type { Arc, FlowPlace } from "../flow/places.ts";

/** Warns of `list[at]` where a node replaces the list after `at` has moved, and nobody sets `at` back. */
export function checkStaleIndex(check: FlowCheck): void {
  const indexed = indexesIn([check.ir.nodes, check.ir.edges]);
  if (indexed.length === 0) return;
  const { writers } = check;
  const reported = new Set<string>();
  for (const { list, index, span } of indexed) {
    const replacer = staleAfter(list, index, writers, check);
    if (replacer === undefined || reported.has(`${list} ${index}`)) continue;
    reported.add(`${list} ${index}`);
    check.report({
      code: "M3223",
      severity: "warning",
      message: `\`${index}\` may point into the \`${list}\` from before: \`${replacer.node}\` replaces it and leaves \`${index}\` as it is`,
      span,
      hint: `set it back where the list is replaced: \`set ${index} = 0\``,
      related: [{ span: replacer.span, message: "replaced here" }],
    });
  }
}

interface IndexedRead {
  readonly list: string;
  readonly index: string;
  readonly span: { readonly start: number; readonly end: number };
}

/** Every field that stands in the brackets behind another one. */
function indexesIn(part: unknown): readonly IndexedRead[] {
  const found: IndexedRead[] = [];
  walk(part, (inner) => {
    if (isIndex(inner)) found.push(...indexOf(inner));
  });
  return found;
}

type IndexExpr = ExprIr & { readonly kind: "index" };

function isIndex(part: object): part is IndexExpr {
  return "index" in part && "kind" in part && part.kind === "index";
}

function indexOf({ object, index, span }: IndexExpr): readonly IndexedRead[] {
  if (object.kind !== "name" || object.of !== "field") return [];
  const [start, end] = span ?? [0, 0];
  return fieldsIn(index).map((name) => ({ list: object.name, index: name, span: { start, end } }));
}

function fieldsIn(expr: ExprIr): readonly string[] {
  if (expr.kind === "name") return expr.of === "field" ? [expr.name] : [];
  return expr.kind === "binary" ? [...fieldsIn(expr.left), ...fieldsIn(expr.right)] : [];
}

/**
 * Returns the writer that replaces the list while the index may have moved, if neither it nor an
 * arrow behind it sets the index anew; undefined if there is none.
 */
function staleAfter(
  list: string,
  index: string,
  writers: readonly FieldWriter[],
  { ir, places }: FlowCheck,
): FieldWriter | undefined {
  const own = new Set(
    writers.filter(({ field, onArrow }) => field === index && !onArrow).map(({ node }) => node),
  );
  const moved = movedBefore(index, own, ir, places.arcs);
  return writers.find(
    ({ node, field, reducer, onArrow }) =>
      field === list &&
      reducer === "replace" &&
      !onArrow &&
      !own.has(node) &&
      moved.has(node) &&
      (places.next.get(node) ?? []).some((arc) => changeBy(arc.sets, index) !== "set back"),
  );
}

/** The places before which the index may have been moved on since it was last set to a value of its own. */
function movedBefore(
  index: string,
  own: ReadonlySet<string>,
  ir: Ir,
  arcs: readonly Arc[],
): ReadonlySet<FlowPlace> {
  const sets = new Map(ir.nodes.map((node) => [node.name, changeBy(node.sets, index)]));
  const moved = new Set<FlowPlace>();
  const isMovedBehind = ({ from, sets: onArc }: Arc) => {
    const change =
      changeBy(onArc, index) ?? sets.get(from) ?? (own.has(from) ? "moved" : undefined);
    return change === undefined ? moved.has(from) : change === "moved";
  };
  for (let size = -1; size !== moved.size; ) {
    size = moved.size;
    for (const arc of arcs) if (isMovedBehind(arc)) moved.add(arc.to);
  }
  return moved;
}

/** `at + 1` moves it; what does not look at the old value sets it back. */
function changeBy(sets: readonly AssignIr[], field: string): "moved" | "set back" | undefined {
  const last = sets.findLast((assign) => assign.field === field);
  if (last === undefined) return undefined;
  return referencesOf(last.value).names.has(field) ? "moved" : "set back";
}
