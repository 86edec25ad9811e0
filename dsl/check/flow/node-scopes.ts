/** Reports nodes that stand in two scopes: at the top level and in an `each`, or in two. */
import type { Span } from "../../diagnostics/source.ts";
import type { FlowDecl, HopAst, Name } from "../../syntax/tree/ast.ts";
import type { FlowCheck } from "../context.ts";

/** A node is named at the top level, or in one `each`. */
export function checkScopes({ symbols, report }: FlowCheck): void {
  const first = new Map<string, { readonly scope: unknown; readonly span: Span }>();
  const reported = new Set<string>();
  const flows = symbols.graph.items.filter((item) => item.kind === "flow");
  for (const { name, scope } of flows.flatMap((flow) => namesInFlow(flow, undefined))) {
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

function namesInFlow(flow: FlowDecl, scope: object | undefined): readonly ScopedName[] {
  const sources = flow.source.nodes.map((name) => ({ name, scope }));
  return [...sources, ...namesInHops(flow.hops, scope)];
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
      return [
        ...namesInHops(hop.body, hop),
        ...hop.flows.flatMap((flow) => namesInFlow(flow, hop)),
      ];
  }
}
