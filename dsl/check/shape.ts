import type { EachIr, EdgeIr, Ir, NodeKind, RouteIr, SourceIr } from "../ir.ts";
import type { Span } from "../source.ts";
import type { FlowDecl, HopAst, Name } from "../syntax/ast.ts";
import type { GraphCheck } from "./context.ts";
import type { Overlap } from "./overlap.ts";

/** Checks what the parts of the flow are to each other: who decides, who belongs where, what follows what. */
export function checkShape(ir: Ir, overlap: Overlap, check: GraphCheck): void {
  checkScopes(check);
  checkShared(ir, check);
  for (const edge of ir.edges) checkEdge(edge, ir, check);
  checkRouters(ir, check);
  checkArrivals(ir, overlap, check);
}

// ── a node belongs to one scope ─────────────────────────────────────────────────────────────────

/** A node is named at the top level, or in one `each`. */
function checkScopes({ symbols, report }: GraphCheck): void {
  const first = new Map<string, { readonly scope: unknown; readonly span: Span }>();
  const reported = new Set<string>();
  const flows = symbols.graph.items.filter((item) => item.kind === "flow");
  for (const { name, scope } of flows.flatMap(namesInFlow)) {
    if (!symbols.nodes.has(name.text)) continue;
    const before = first.get(name.text);
    if (before === undefined) first.set(name.text, { scope, span: name.span });
    else if (before.scope !== scope && !reported.has(name.text)) {
      reported.add(name.text);
      report({
        code: "M3204",
        message: `\`${name.text}\` stands in an \`each\` and elsewhere too`,
        span: name.span,
        hint: "a node belongs to one place: declare a second node for the other one",
        related: [{ span: before.span, message: "used here too" }],
      });
    }
  }
}

interface ScopedName {
  readonly name: Name;
  /** The `each` it stands in, by identity. */
  readonly scope: object | undefined;
}

function namesInFlow(flow: FlowDecl): readonly ScopedName[] {
  const sources = flow.source.nodes.map((name) => ({ name, scope: undefined }));
  return [...sources, ...namesInHops(flow.hops, undefined)];
}

function namesInHops(hops: readonly HopAst[], scope: object | undefined): readonly ScopedName[] {
  return hops.flatMap((hop) => namesInHop(hop, scope));
}

function namesInHop(hop: HopAst, scope: object | undefined): readonly ScopedName[] {
  switch (hop.kind) {
    case "one-of":
    case "all-of":
      return hop.refs.map((ref) => ({ name: ref.node, scope }));
    case "choice":
      return hop.branches.flatMap((branch) => namesInHops(branch.hops, scope));
    case "match":
      return hop.cases.flatMap((one) => namesInHops(one.hops, scope));
    case "each":
      return namesInHops(hop.body, hop);
  }
}

// ── what follows several ways ───────────────────────────────────────────────────────────────────

/** What several ways lead into becomes an edge each; that is only the same as written if it counts and holds nothing. */
function checkShared(ir: Ir, { report }: GraphCheck): void {
  const seen = new Set<RouteIr>();
  for (const route of allRoutes(ir.edges)) {
    const isSimple = (route.kind === "to" || route.kind === "pick") && route.max === undefined;
    if (seen.has(route) && !isSimple) {
      report({
        code: "M3212",
        message: "several ways lead in here, and they can't share what follows",
        span: spanOf(route),
        hint: "lead them to one node first, and write this behind it",
      });
      return;
    }
    seen.add(route);
  }
}

function allRoutes(edges: readonly EdgeIr[]): readonly RouteIr[] {
  return edges.flatMap(({ route }) => [
    route,
    ...eachesIn(route).flatMap((each) => [
      ...(each.then ? [each.then] : []),
      ...allRoutes(each.edges),
    ]),
  ]);
}

function eachesIn(route: RouteIr): readonly EachIr[] {
  switch (route.kind) {
    case "each":
      return [
        route.each,
        ...eachesIn(route.each.entry),
        ...(route.each.then ? eachesIn(route.each.then) : []),
      ];
    case "choice":
      return route.branches.flatMap((branch) => eachesIn(branch.route));
    case "match":
      return route.cases.flatMap((one) => eachesIn(one.route));
    default:
      return [];
  }
}

function spanOf(route: RouteIr): Span {
  const [start, end] = route.span ?? [0, 0];
  return { start, end };
}

// ── who decides ─────────────────────────────────────────────────────────────────────────────────

const DECIDING: readonly NodeKind[] = ["router", "agent", "operator", "run"];

function checkEdge(edge: EdgeIr, ir: Ir, check: GraphCheck): void {
  checkPicks(edge.route, nobodyDeciding(edge.from, ir), ir, check);
}

/** Why nobody can pick behind this source; undefined if somebody can. */
function nobodyDeciding(source: SourceIr, ir: Ir): string | undefined {
  if (source.kind === "start") return "`start` decides nothing";
  if (source.kind === "join")
    return `\`[${source.nodes.join(", ")}]\` waits for several, and none of them decides`;
  const other = ir.nodes.find(
    (node) => source.nodes.includes(node.name) && !DECIDING.includes(node.kind),
  );
  return other && `\`${other.name}\` is a \`${other.kind}\` node, which decides nothing`;
}

function checkPicks(route: RouteIr, nobody: string | undefined, ir: Ir, check: GraphCheck): void {
  const into = (inner: RouteIr) => checkPicks(inner, nobody, ir, check);
  switch (route.kind) {
    case "to":
      return;
    case "pick":
      if (nobody !== undefined) reportNobody(route, nobody, check);
      return;
    case "choice":
      for (const branch of route.branches) into(branch.route);
      return;
    case "match":
      for (const one of route.cases) into(one.route);
      return;
    case "each": {
      const alone = "an `each` decides nothing";
      checkPicks(route.each.entry, alone, ir, check);
      for (const edge of route.each.edges) checkEdge(edge, ir, check);
      if (route.each.then !== undefined) checkPicks(route.each.then, alone, ir, check);
    }
  }
}

function reportNobody(route: RouteIr, why: string, { report }: GraphCheck): void {
  report({
    code: "M3211",
    message: `nobody is there to pick one of these: ${why}`,
    span: spanOf(route),
    hint: "let a `router` pick, write conditions `{ a == 1 -> x, else -> y }`, or start all of them `[x, y]`",
  });
}

/** A router without a choice decides for nothing. */
function checkRouters(ir: Ir, { symbols, report }: GraphCheck): void {
  for (const node of ir.nodes) {
    const name = symbols.nodes.get(node.name)?.name;
    if (node.kind !== "router" || name === undefined || hasPick(node.name, ir.edges)) continue;
    report({
      code: "M3215",
      severity: "warning",
      message: `\`${node.name}\` has nothing to pick from`,
      span: name.span,
      hint: `write \`${node.name} -> a | b\``,
    });
  }
}

function hasPick(node: string, edges: readonly EdgeIr[]): boolean {
  return edges.some(
    ({ from, route }) =>
      (from.kind === "any" && from.nodes.includes(node) && picks(route)) ||
      eachesIn(route).some((each) => hasPick(node, each.edges)),
  );
}

function picks(route: RouteIr): boolean {
  if (route.kind === "choice") return route.branches.some((branch) => picks(branch.route));
  if (route.kind === "match") return route.cases.some((one) => picks(one.route));
  return route.kind === "pick";
}

// ── who arrives ─────────────────────────────────────────────────────────────────────────────────

/** `a -> b` and `c -> b` start b twice; if a and c can overlap, that is seldom meant. */
function checkArrivals(ir: Ir, overlap: Overlap, { report }: GraphCheck): void {
  const arrivals = ir.edges.filter((edge) => edge.on === "done" && edge.from.kind === "any");
  const reported = new Set<string>();
  for (const [index, edge] of arrivals.entries())
    for (const before of arrivals.slice(0, index)) {
      const [target, other] = [onlyTarget(edge), onlyTarget(before)];
      if (target === undefined || target !== other || reported.has(target)) continue;
      const clash = firstOverlap(before, edge, overlap);
      if (clash === undefined) continue;
      reported.add(target);
      report({
        code: "M3214",
        severity: "warning",
        message: `\`${target}\` starts twice: \`${clash[0]}\` and \`${clash[1]}\` can both arrive`,
        span: spanOf(edge.route),
        hint: `to wait for both, write \`[${clash.join(", ")}] -> ${target}\``,
        related: [{ span: spanOf(before.route), message: "the other arrow" }],
      });
    }
}

/** The node of a plain arrow that always leads there. */
function onlyTarget({ route }: EdgeIr): string | undefined {
  if (route.kind !== "to" || route.targets.length !== 1 || route.when !== undefined)
    return undefined;
  const node = route.targets[0]?.node;
  return node === "end" ? undefined : node;
}

function firstOverlap(
  a: EdgeIr,
  b: EdgeIr,
  overlap: Overlap,
): readonly [string, string] | undefined {
  if (a.from.kind !== "any" || b.from.kind !== "any") return undefined;
  for (const left of a.from.nodes)
    for (const right of b.from.nodes) if (overlap.has(left, right)) return [left, right];
  return undefined;
}
