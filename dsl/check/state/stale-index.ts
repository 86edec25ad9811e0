/** Warns of an index that is kept while its list is replaced. */
import type { AssignIr, ExprIr, Ir, NodeIr } from "../../ir/ir.ts";
import { walk } from "../../ir/visit-tree.ts";
import { referencesOf } from "../../lower/references.ts";
import type { FlowCheck } from "../context.ts";
import type { FieldWriter } from "../facts.ts";
import type { Arc, FlowPlace } from "../flow/places.ts";

/**
 * Warns of `list[at]` where a node replaces the list after `at` has moved, and nobody sets `at` back; not where the
 * expression asks whether the item is there, nor where the list is replaced by itself with more.
 */
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
      hint: `set it back where the list is replaced: \`set ${index} = 0\`; or ask first: \`${index} < ${list}.length ? ${list}[${index}] : …\``,
      related: [{ span: replacer.span, message: "replaced here" }],
    });
  }
}

interface IndexedRead {
  readonly list: string;
  readonly index: string;
  readonly span: { readonly start: number; readonly end: number };
}

/** Every field that stands in the brackets behind another one, where nothing asks whether there is such an item. */
function indexesIn(part: unknown): readonly IndexedRead[] {
  const found: IndexedRead[] = [];
  const asked = new Set<unknown>();
  walk(part, (inner) => {
    for (const one of askedIn(inner as ExprIr)) asked.add(one);
    if (isIndex(inner) && !asked.has(inner)) found.push(...indexOf(inner));
  });
  return found;
}

/** The reads inside an expression that it has asked about: by a comparison with the length, or as they may be missing. */
function askedIn(expr: ExprIr): readonly unknown[] {
  if (expr.kind === "conditional") return readsBehind(expr.test, [expr.then, expr.else]);
  if (expr.kind === "binary" && expr.op === "&&") return readsBehind(expr.left, [expr.right]);
  if (expr.kind === "binary" && expr.op === "??") return [expr.left];
  return expr.kind === "member" && expr.optional ? [expr.object] : [];
}

/** The reads of a list whose length the condition compares. */
function readsBehind(test: ExprIr, parts: readonly ExprIr[]): readonly unknown[] {
  const lists = new Set<string>();
  walk(test, (inner) => {
    const { kind, name, object } = inner as ExprIr & { readonly kind: "member" };
    if (kind === "member" && name === "length" && object.kind === "name") lists.add(object.name);
  });
  const reads: unknown[] = [];
  if (lists.size === 0) return reads;
  walk(parts, (inner) => {
    if (isIndex(inner) && inner.object.kind === "name" && lists.has(inner.object.name))
      reads.push(inner);
  });
  return reads;
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
      !isGrown(
        list,
        ir.nodes.find(({ name }) => name === node),
      ) &&
      !onArrow &&
      !own.has(node) &&
      moved.has(node) &&
      (places.next.get(node) ?? []).some((arc) => changeBy(arc.sets, index) !== "set back"),
  );
}

/** Tells whether a node gives a list only more items: `[...list, item]`, `list.concat(more)`. */
function isGrown(list: string, node: NodeIr | undefined): boolean {
  const values = [...(node?.writes ?? []), ...(node?.sets ?? [])]
    .filter(({ field }) => field === list)
    .map(({ value }) => value);
  return values.length > 0 && values.every((value) => value !== undefined && adds(value, list));
}

function adds(value: ExprIr, list: string): boolean {
  const isList = (expr: ExprIr | undefined) =>
    expr?.kind === "name" && expr.of === "field" && expr.name === list;
  if (value.kind === "list") {
    const [first] = value.items;
    return first?.kind === "spread" && isList(first.value);
  }
  if (value.kind !== "call" || value.callee.kind !== "member") return false;
  return value.callee.name === "concat" && isList(value.callee.object);
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
