import type { TypeIr } from "../ir.ts";
import { flowScope, type Scope, withVariable } from "../scope.ts";
import type {
  ApproveDecl,
  BreakDecl,
  EachAst,
  FlowDecl,
  GraphDecl,
  HopAst,
  HopClause,
  Name,
  RefAst,
} from "../syntax/ast.ts";
import { printType, resolveType } from "../types.ts";
import { reportNeverTried, toAlternative } from "./alternatives.ts";
import { checkArguments } from "./arguments.ts";
import { checkConsent } from "./check-clauses.ts";
import { checkExpression } from "./check-expression.ts";
import { checkMatch } from "./check-match.ts";
import { checkCondition } from "./conditions.ts";
import type { GraphCheck, Report } from "./context.ts";
import { checkAssign } from "./fields.ts";
import { checkEdgeWord, checkQuantity } from "./limits.ts";
import { elementOf } from "./member-type.ts";
import { checkCount, checkNodeName } from "./names.ts";
import { reportShadowing } from "./shadowing.ts";

/** Checks the names in what stands between the nodes: arrows, approvals, breaks, limits. */
export function checkFlows({ symbols, report }: GraphCheck): void {
  const scope = flowScope(symbols);
  reportSecondLimit(symbols.graph, report);
  for (const item of symbols.graph.items) {
    if (item.kind === "flow") checkFlow(item, scope, report);
    if (item.kind === "approve" || item.kind === "break") checkStop(item, scope, report);
    if (item.kind === "end-when") checkCondition(item.condition, scope, report);
    if (item.kind === "limit") for (const each of item.quantities) checkQuantity(each, report);
  }
}

function reportSecondLimit({ items }: GraphDecl, report: Report): void {
  const [first, second] = items.filter((item) => item.kind === "limit");
  if (first === undefined || second === undefined) return;
  report({
    code: "M4003",
    message: "the graph already has a `limit`",
    span: second.span,
    hint: "make one of the two: `limit 3m, $2, 60 steps`",
    related: [{ span: first.span, message: "the first one" }],
  });
}

function checkStop(stop: ApproveDecl | BreakDecl, scope: Scope, report: Report): void {
  for (const node of stop.nodes) checkNodeName(node, scope, report);
  if (stop.kind === "approve") checkConsent(stop.consent, scope, report);
  else if (stop.condition !== undefined) checkCondition(stop.condition, scope, report);
}

function checkFlow(flow: FlowDecl, scope: Scope, report: Report): void {
  const { source } = flow;
  for (const node of source.nodes) checkSource(node, source.kind, scope, report);
  if (source.kind === "join") checkCount(source.need, scope, report);
  const canBeOn = source.nodes.some((node) => node.text !== "start");
  checkHops(flow.hops, { canBeOn }, scope, report);
}

function checkSource(node: Name, kind: "any" | "join", scope: Scope, report: Report): void {
  if (node.text === "end")
    reportEnds(node, "`end` is where a path ends: nothing follows it", undefined, report);
  else if (node.text !== "start") checkNodeName(node, scope, report);
  else if (kind === "join")
    reportEnds(
      node,
      "`start` has always arrived, so it can't be waited for",
      "take it out of the `[ ]`",
      report,
    );
}

/** Where the first hop of a chain hangs: behind a node an arrow can be taken `on error`, inside a group it can't. */
interface Chain {
  readonly canBeOn: boolean;
}

function checkHops(hops: readonly HopAst[], chain: Chain, scope: Scope, report: Report): void {
  for (const [index, hop] of hops.entries()) {
    const before = hops[index - 1];
    const canBeOn = before === undefined ? chain.canBeOn : before.kind !== "each";
    checkHop(hop, scope, report);
    reportRepeatedClause(hop.clauses, report);
    for (const clause of hop.clauses) checkHopClause(clause, { canBeOn }, scope, report);
    if (index + 1 < hops.length && isAllEnd(hop))
      reportEnds(
        hop.refs[0]?.node ?? hop,
        "`end` is where a path ends: nothing follows it",
        undefined,
        report,
      );
  }
}

function reportRepeatedClause(clauses: readonly HopClause[], report: Report): void {
  for (const [index, clause] of clauses.entries()) {
    const before = clauses.slice(0, index).find((other) => other.kind === clause.kind);
    if (before === undefined || clause.kind === "set") continue;
    report({
      code: "M4003",
      message: `this arrow already has a \`${clause.kind}\``,
      span: clause.span,
      hint: "make one of the two",
      related: [{ span: before.span, message: "the first one" }],
    });
  }
}

type RefsHop = HopAst & { readonly kind: "one-of" | "all-of" };

function isAllEnd(hop: HopAst): hop is RefsHop {
  if (hop.kind !== "one-of" && hop.kind !== "all-of") return false;
  return hop.refs.every((ref) => ref.node.text === "end");
}

function checkHop(hop: HopAst, scope: Scope, report: Report): void {
  switch (hop.kind) {
    case "one-of":
    case "all-of":
      for (const ref of hop.refs) checkRef(ref, hop.kind, scope, report);
      return;
    case "choice":
      reportNeverTried(hop.branches.map(toAlternative), report);
      for (const branch of hop.branches) {
        if (branch.condition !== undefined) checkCondition(branch.condition, scope, report);
        checkHops(branch.hops, { canBeOn: false }, scope, report);
      }
      return;
    case "match":
      reportNeverTried(hop.cases.map(toAlternative), report);
      checkMatch(hop, checkExpression(hop.subject, scope, report), scope, report);
      for (const one of hop.cases) checkHops(one.hops, { canBeOn: false }, scope, report);
      return;
    case "each":
      checkEach(hop, scope, report);
      return;
  }
}

function checkRef(ref: RefAst, kind: RefsHop["kind"], scope: Scope, report: Report): void {
  const { text, span } = ref.node;
  const node = scope.symbols.nodes.get(text);
  if (node !== undefined && text !== "start" && text !== "end") {
    checkArguments({ name: text, params: node.params, span }, ref.args, scope, report);
    return;
  }
  for (const arg of ref.args) checkExpression(arg.value, scope, report);
  if (text === "start")
    reportEnds(ref.node, "nothing leads back to `start`", "name the first node instead", report);
  else if (text === "end") checkEndRef(ref, kind, report);
  else checkNodeName(ref.node, scope, report);
}

function checkEndRef(ref: RefAst, kind: RefsHop["kind"], report: Report): void {
  const outside = "take it out of the `[ ]`";
  if (kind === "all-of")
    reportEnds(
      ref.node,
      "`end` starts nothing, so it can't be one of several that start",
      outside,
      report,
    );
  else if (ref.args.length > 0) reportEnds(ref.node, "`end` takes no arguments", undefined, report);
}

function reportEnds(
  at: Pick<Name, "span">,
  message: string,
  hint: string | undefined,
  report: Report,
): void {
  report({ code: "M3203", message, span: at.span, hint });
}

function checkEach(each: EachAst, scope: Scope, report: Report): void {
  const type = checkExpression(each.items, scope, report);
  const item = itemType(type, each, scope, report);
  reportShadowing(each.variable, scope, report);
  const inner = withVariable(scope, each.variable.text, item);
  checkCount(each.parallel, scope, report);
  checkCount(each.need, scope, report);
  if (each.when !== undefined) checkCondition(each.when, inner, report);
  checkHops(each.body, { canBeOn: false }, inner, report);
}

/** The type of one item; a stream's is not known, and what is surely no list is reported. */
function itemType(
  type: TypeIr | undefined,
  each: EachAst,
  scope: Scope,
  report: Report,
): TypeIr | undefined {
  const shape = type && resolveType(type, scope.symbols.file.types);
  if (type === undefined || shape === undefined || shape.kind === "union") return undefined;
  if (shape.kind === "array" || shape.kind === "tuple") return elementOf(shape);
  if (
    shape.kind === "named" &&
    !["string", "number", "int", "boolean", "Record"].includes(shape.name)
  )
    return undefined;
  report({
    code: "M3105",
    message: `\`each\` needs a list, but this is \`${printType(type)}\``,
    span: each.items.span,
  });
  return undefined;
}

function checkHopClause(clause: HopClause, chain: Chain, scope: Scope, report: Report): void {
  switch (clause.kind) {
    case "when":
      checkCondition(clause.condition, scope, report);
      return;
    case "max":
      checkCount(clause.count, scope, report);
      return;
    case "set":
      for (const assign of clause.assigns) checkAssign(assign, scope, report);
      return;
    case "on":
      checkEdgeWord(clause.what, report);
      if (!chain.canBeOn)
        report({
          code: "M3213",
          message: "`on` belongs to an arrow that leaves a node",
          span: clause.span,
          hint: `write it as its own line: \`node -> other on ${clause.what.text}\``,
        });
      return;
    case "after":
    case "detached":
      return;
  }
}
