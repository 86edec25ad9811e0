/** Writes the checks of arrows: conditions, routes and items of an `each`. */
import {
  type EachIr,
  type EdgeIr,
  type ExprIr,
  findByName,
  type RouteIr,
  routesBehind,
  type TargetIr,
} from "../../../../dsl/index.ts";
import { localName } from "./prelude.ts";
import { CONDITION, type GraphContext, writeCheck } from "./write-check.ts";
import { toSpan, writeExpression } from "./write-expression.ts";
import { writtenType } from "./write-field.ts";

/** Writes the check of arrows: a block each, since a condition holds for what stands behind it. */
export function writeEdges(context: GraphContext, edges: readonly EdgeIr[]): void {
  for (const { route } of edges) if (!isPlain(context, route)) writeRoute(context, route);
}

function writeRoute(context: GraphContext, route: RouteIr): void {
  const { to } = context;
  if (isPlain(context, route)) {
    to.raw("{}\n");
    return;
  }
  to.raw("{\n");
  writeCheck(to, CONDITION, route.when);
  if (route.when !== undefined) writeIf(context, route.when);
  to.raw("{\n");
  for (const { field, value, via } of route.sets ?? []) {
    writeCheck(to, { call: `$is<${writtenType(context, field, via)}>`, purpose: "write" }, value);
  }
  writeTo(context, route);
  to.raw("}\n}\n");
}

/** Most arrows have nothing to check. */
function isPlain({ graph }: GraphContext, route: RouteIr): boolean {
  if ((route.kind !== "to" && route.kind !== "pick") || route.when !== undefined) return false;
  const takesNothing = ({ node }: TargetIr) =>
    (findByName(graph.nodes, node)?.params.length ?? 0) === 0;
  return (route.sets ?? []).length === 0 && route.targets.every(takesNothing);
}

function writeTo(context: GraphContext, route: RouteIr): void {
  switch (route.kind) {
    case "to":
    case "pick":
      for (const target of route.targets) writeTarget(context, target, route.kind);
      return;
    case "choice":
      writeChoice(context, route.branches);
      return;
    case "match":
      writeMatch(context, route);
      return;
    case "each":
      writeEach(context, route.each);
      return;
  }
}

/** The condition once more, as TypeScript narrows by it; what is wrong in it was reported at its check. */
function writeIf({ to }: GraphContext, condition: ExprIr): void {
  to.raw("if (").echo(() => writeExpression(to, condition));
  to.raw(") ");
}

/** Writes the call of a target; the arguments that a picked one lacks are given by the node that picks. */
function writeTarget(
  { to, graph }: GraphContext,
  { node, args, span }: TargetIr,
  kind: "to" | "pick",
): void {
  const params = findByName(graph.nodes, node)?.params ?? [];
  if (params.length === 0) return;
  to.for("argument", toSpan(span), () => {
    to.raw(`$to_${node}(`);
    const last = params.findLastIndex(
      ({ name }, index) => findArgument(args, name, index) !== undefined,
    );
    const written = kind === "pick" ? params : params.slice(0, last + 1);
    for (const [index, param] of written.entries()) {
      if (index > 0) to.raw(", ");
      const argument = findArgument(args, param.name, index);
      if (argument === undefined) to.raw(kind === "pick" ? "undefined as never" : "undefined");
      else to.for("argument", toSpan(argument.span), () => writeExpression(to, argument));
    }
    to.raw(");\n");
  });
}

function findArgument(args: TargetIr["args"], name: string, index: number): ExprIr | undefined {
  const labelled = args.find(({ label }) => label === name);
  const placed = args[index];
  return labelled?.value ?? (placed?.label === undefined ? placed?.value : undefined);
}

function writeChoice(
  context: GraphContext,
  branches: (RouteIr & { readonly kind: "choice" })["branches"],
): void {
  const { to } = context;
  // The checks stand first, so that the chain of ifs below has nothing in between.
  for (const { when } of branches) writeCheck(to, CONDITION, when);
  for (const [index, { when, route }] of branches.entries()) {
    if (index > 0) to.raw("else ");
    if (when !== undefined) writeIf(context, when);
    writeRoute(context, route);
    if (when === undefined) return;
  }
}

function writeMatch(
  context: GraphContext,
  { subject, cases }: RouteIr & { readonly kind: "match" },
): void {
  const { to, places } = context;
  const span = toSpan(subject.span);
  const literals = span === undefined ? [] : places.cases(span);
  to.raw("const $subject = ");
  writeExpression(to, subject);
  to.raw(";\n");
  const values = cases.flatMap((one) => one.values ?? []);
  for (const [index, value] of values.entries()) {
    to.raw("$is<$Case<typeof $subject>>(");
    to.for("case", literals[index] ?? span, () => void to.raw(JSON.stringify(value)));
    to.raw(");\n");
  }
  if (cases.every((one) => one.values !== undefined)) {
    // An unwritten field is matched by `null`.
    const absent = values.includes(null) ? ["undefined"] : [];
    const handled = [...values.map((value) => JSON.stringify(value)), ...absent].join(" | ");
    to.raw(`$covered<Exclude<typeof $subject, ${handled === "" ? "never" : handled}>>(`);
    to.for("missing-case", span, () => void to.raw("true"));
    to.raw(");\n");
  }
  let literal = 0;
  for (const [index, one] of cases.entries()) {
    if (index > 0) to.raw("else ");
    if (one.values !== undefined) writeIfIsOneOf(context, subject, one.values);
    // A case that can't be leaves nothing to check behind it.
    to.dependent(literals[literal], () => writeRoute(context, one.route));
    literal += one.values?.length ?? 0;
  }
}

/** The case as TypeScript narrows by it: `match act.kind` says in a case which `act` it is. */
function writeIfIsOneOf(
  { to }: GraphContext,
  subject: ExprIr,
  values: readonly (string | number | boolean | null)[],
): void {
  to.raw("if (").echo(() => {
    for (const [index, value] of values.entries()) {
      if (index > 0) to.raw(" || ");
      writeExpression(to, subject);
      to.raw(` ${value === null ? "==" : "==="} ${JSON.stringify(value)}`);
    }
  });
  to.raw(") ");
}

function writeEach(context: GraphContext, each: EachIr): void {
  const { to } = context;
  to.raw(`for (const ${localName(each.variable)} of `);
  to.raw("$items(");
  to.for("items", toSpan(each.items.span), () => writeExpression(to, each.items));
  to.raw(")) {\n");
  to.dependent(toSpan(each.items.span), () => {
    writeCheck(to, CONDITION, each.when);
    writeRoute(context, each.entry);
    writeEdges(context, each.edges);
  });
  to.raw("}\n");
  for (const route of routesBehind(each)) writeRoute(context, route);
}
