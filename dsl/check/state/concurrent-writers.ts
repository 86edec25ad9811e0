/** Reports fields that two node runs can replace at the same time. */
import type { Finding } from "../../diagnostics/diagnostic.ts";
import type { ExprIr, FieldIr } from "../../ir/ir.ts";
import { walk } from "../../ir/visit-tree.ts";
import { BUILT_IN_REDUCERS, REDUCERS, reducerFacts } from "../../vocabulary/reducers.ts";
import type { FlowCheck } from "../context.ts";
import type { FieldWriter, Overlap } from "../facts.ts";

/** Reports each field that two node runs can replace at the same time, once, at the later of the two writers. */
export function checkConcurrentWriters(check: FlowCheck): void {
  const writers = Map.groupBy(check.writers, (writer) => writer.field);
  for (const field of check.ir.fields) {
    if (field.scope === "agent") continue;
    const own = writers.get(field.name) ?? [];
    const meets = field.scope === "item" ? meetingInItem(field, check) : check.overlap.has;
    if (field.scope === "user") checkUserField(field, own, check);
    const clash = firstClash(own, check.overlap, meets);
    if (clash !== undefined) reportClash(field.name, clash, check);
  }
}

/** Runs of several threads write a user's field at once, and each write is applied to what is stored then. */
function checkUserField(
  { name: field, reducer, span }: FieldIr,
  writers: readonly FieldWriter[],
  { report }: FlowCheck,
): void {
  const unordered = writers.find((writer) => !ORDERED.includes(writer.reducer));
  if (unordered !== undefined) {
    report({
      code: "M3301",
      message: `two runs of a user can replace \`${field}\` at the same time`,
      span: unordered.span,
      hint: "say how writes merge: `via append`, `union`, `merge`, `sum`, `max` or `min`",
    });
    return;
  }
  const called = nameOfScope(reducer.args);
  if (called === undefined) return;
  const [start, end] = called.span ?? span ?? [0, 0];
  report({
    code: "M3304",
    message: `writes to \`${field}\` of a user can't be merged by \`${called.name}\`, which is TypeScript`,
    span: { start, end },
    hint: `say it in the language, as in \`via ${reducer.name}(one => one.id)\``,
  });
}

type FieldName = ExprIr & { readonly kind: "name" };

/** The first name of the scope in an expression. */
function nameOfScope(part: unknown): FieldName | undefined {
  let found: FieldName | undefined;
  walk(part, (one) => {
    const { kind, of } = one as Partial<FieldName>;
    if (kind === "name" && of === "scope") found ??= one as unknown as FieldName;
  });
  return found;
}

const ORDERED: readonly string[] = BUILT_IN_REDUCERS.filter((name) => REDUCERS[name].isMerging);

type WriterClash = readonly [FieldWriter, FieldWriter];

/** A function of the scope merges, too. */
function isMerging({ reducer }: FieldWriter): boolean {
  return reducerFacts(reducer)?.isMerging ?? true;
}

/** Nodes meet in one item's field within one item: as branches of it, or as items of an inner `each`. */
function meetingInItem({ owner }: FieldIr, { symbols, overlap }: FlowCheck): Overlap["has"] {
  return (a, b) => {
    const others = symbols.nodePaths.get(b) ?? [];
    const shared = (symbols.nodePaths.get(a) ?? []).filter((id, index) => others[index] === id);
    return shared.at(-1) === owner ? overlap.isForked(a, b) : overlap.has(a, b);
  };
}

function firstClash(
  writers: readonly FieldWriter[],
  overlap: Overlap,
  meets: Overlap["has"],
): WriterClash | undefined {
  if (writers.every((writer) => isMerging(writer))) return undefined;
  const earlier = new Map<string, FieldWriter[]>();
  for (const second of writers) {
    const group = overlap.groupOf(second.node);
    if (group === undefined) continue;
    const beside = earlier.get(group) ?? [];
    beside.push(second);
    earlier.set(group, beside);
    for (const first of beside) {
      const isOrderSafe = isMerging(first) && isMerging(second);
      const isOneRun = first !== second && first.node === second.node;
      if (!isOrderSafe && !isOneRun && meets(first.node, second.node)) return [first, second];
    }
  }
  return undefined;
}

const MERGE = "say how writes merge (`via append`, `via union(…)`, `via sum`, …)";

function reportClash(field: string, clash: WriterClash, check: FlowCheck): void {
  const [first, second] = clash;
  const isOfItems = check.overlap.ways(first.node, second.node) === undefined;
  check.report({
    code: "M3301",
    message:
      first === second
        ? `runs of \`${second.node}\` for several items replace \`${field}\` at the same time`
        : `\`${first.node}\` and \`${second.node}\` can replace \`${field}\` at the same time`,
    span: second.span,
    hint: isOfItems
      ? `${MERGE}, or declare it in the body of the \`each\`: then each item has its own`
      : `${MERGE}, or let one of them wait`,
    related: waysTo(clash, check),
  });
}

/** Both ways on which the run comes to the two writers; for items of an `each`, where they start. */
function waysTo([first, second]: WriterClash, check: FlowCheck): NonNullable<Finding["related"]> {
  const ways = check.overlap.ways(first.node, second.node);
  if (ways !== undefined)
    return [first, second].map(({ node, span }, index) => ({
      span,
      message: `\`${node}\` writes it here, on the way \`${ways[index]?.join(" -> ")}\``,
    }));
  const { eaches } = check.places;
  const each = eaches.find(({ nodes }) => nodes.includes(first.node))?.each;
  const [start, end] = each?.items.span ?? [first.span.start, first.span.end];
  const items = { span: { start, end }, message: "one run an item, several at the same time" };
  if (first === second) return [items];
  return [{ span: first.span, message: `\`${first.node}\` writes it here` }, items];
}
