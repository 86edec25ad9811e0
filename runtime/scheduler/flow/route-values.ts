/** Evaluates what arrows say: conditions, arguments of their targets, items of an `each`. */
import type { CountIr, EachIr, ExprIr, ParamIr, RouteIr } from "../../../dsl/index.ts";
import { assertArgumentFits } from "../expressions/assert-fits.ts";
import { gathered } from "../expressions/calls.ts";
import { evaluate, holds, StreamCall } from "../expressions/evaluate.ts";
import { EvaluationError } from "../expressions/evaluation-errors.ts";
import { readArgument } from "../expressions/written-messages.ts";
import { countOf } from "../limits.ts";
import { lookupAt, type Standpoint } from "../lookup.ts";
import type { Departure, Leaf } from "./departure.ts";
import type { FlowDraft } from "./flow-draft.ts";

/** Begins an `each` over the items that its expression has now. */
export function eachLeaf(
  draft: FlowDraft,
  from: Departure,
  route: RouteIr & { readonly kind: "each" },
  branch: number,
): Leaf {
  const { each } = route;
  const value = evaluateAt(draft, from, each.items);
  if (value instanceof StreamCall) return streamLeaf(draft, from, each, { of: value, branch });
  if (!Array.isArray(value)) {
    throw new EvaluationError(`\`each ${each.variable}\` needs a list`, each.items.span);
  }
  const kept = gathered(value, (item: unknown) => {
    const as = { ...from, item: { variable: each.variable, value: item } };
    return each.when === undefined || holdsAt(draft, as, each.when);
  });
  const items = value.filter((_, index) => kept[index]);
  const number = draft.program.eachNumbers.get(each.id) ?? -1;
  const parallel = countOf(draft.program, draft.snapshot, each.parallel ?? PARALLEL_DEFAULT);
  const need = each.need === undefined ? {} : { need: needOf(draft, each.need) };
  return { kind: "each", each: number, items, parallel: Math.max(1, parallel), ...need, branch };
}

/**
 * Begins an `each` over a stream, which may be read anew later on: the call is kept with its
 * arguments.
 */
function streamLeaf(
  draft: FlowDraft,
  from: Departure,
  { id, items, parallel = 1, need }: EachIr,
  { of, branch }: { readonly of: StreamCall; readonly branch: number },
): Leaf {
  const { program, snapshot } = draft;
  const { name, key } = of;
  const file = program.functions?.file;
  const args =
    items.kind === "call"
      ? { args: items.args.map(({ value }) => evaluateAt(draft, from, value)) }
      : {};
  return {
    kind: "each",
    each: program.eachNumbers.get(id) ?? -1,
    items: [],
    parallel: Math.max(1, countOf(program, snapshot, parallel)),
    ...(need === undefined ? {} : { need: needOf(draft, need) }),
    source: { name, key, ...args, ...(file === undefined ? {} : { file }) },
    branch,
  };
}

const PARALLEL_DEFAULT = 8;

function needOf({ program, snapshot }: FlowDraft, count: CountIr): number {
  const need = countOf(program, snapshot, count);
  if (need >= 1) return need;
  throw new EvaluationError(`\`need\` must be 1 or more, not ${need}`);
}

/** The arguments that an arrow gives its target; nothing where the target takes none. */
export function argsOf(
  draft: FlowDraft,
  from: Departure,
  node: number,
  args: readonly { readonly label?: string; readonly value: ExprIr }[],
): Readonly<Record<string, unknown>> | undefined {
  const { params = [], name: to = "" } = draft.program.nodes[node]?.ir ?? {};
  if (params.length === 0) return undefined;
  const { program, snapshot } = draft;
  const lookup = lookupAt(program, snapshot, from);
  const values: (readonly [string, unknown])[] = [];
  const give = (param: ParamIr | undefined, name: string, expression: ExprIr) => {
    const given = evaluate(expression, lookup);
    const { span } = expression;
    const value =
      param === undefined ? given : readArgument(program.ir, param, { value: given, span });
    const what = () => `\`${name}\` of \`${to}\``;
    if (param !== undefined && snapshot.isTyped)
      assertArgumentFits(program.ir, param, { what, value, span: expression.span });
    values.push([name, value]);
  };
  for (const param of params) {
    if (param.default !== undefined) give(param, param.name, param.default);
  }
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index];
    const param =
      arg?.label === undefined ? params[index] : params.find(({ name }) => name === arg.label);
    if (arg !== undefined) give(param, arg.label ?? param?.name ?? "", arg.value);
  }
  return Object.fromEntries(values);
}

/** The value of an expression of an arrow. */
export function evaluateAt(draft: FlowDraft, at: Standpoint, expression: ExprIr): unknown {
  return evaluate(expression, lookupAt(draft.program, draft.snapshot, at));
}

/** Returns whether a condition of an arrow holds. */
export function holdsAt(draft: FlowDraft, at: Standpoint, condition: ExprIr): boolean {
  return holds(condition, lookupAt(draft.program, draft.snapshot, at));
}
