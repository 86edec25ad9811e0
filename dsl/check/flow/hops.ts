/** Lists the targets of a graph's arrows as they are written, each with its scope. */
import { flowScope, hopScope, itemScope, type Scope } from "../../names/scope.ts";
import type { GraphSymbols } from "../../names/symbol-tables.ts";
import type { EachAst, FlowDecl, HopAst } from "../../syntax/tree/ast.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import type { HopAt } from "../facts.ts";
import { itemType } from "./items.ts";

/** Returns the hops of a graph's arrows, also those inside groups, in the order of the text. */
export function hopsOf(symbols: GraphSymbols): readonly HopAt[] {
  const scope = flowScope(symbols);
  return symbols.graph.items.flatMap((item) => (item.kind === "flow" ? inFlow(item, scope) : []));
}

/** Returns the arrows of a graph, those in the bodies of its `each`es too, as they are written. */
export function flowsOf({ graph }: GraphSymbols, hops: readonly HopAt[]): readonly FlowDecl[] {
  const inner = hops.flatMap(({ hop }) => (hop.kind === "each" ? hop.flows : []));
  return [...graph.items.filter((item) => item.kind === "flow"), ...inner];
}

function inFlow({ source, hops }: FlowDecl, scope: Scope): readonly HopAt[] {
  const canBeOn = source.nodes.some((node) => node.text !== "start");
  return inChain(hops, { scope, canBeOn });
}

type Chain = Pick<HopAt, "scope" | "canBeOn">;

function inChain(hops: readonly HopAst[], chain: Chain): readonly HopAt[] {
  return hops.flatMap((hop, index) => {
    const before = hops[index - 1];
    const canBeOn = before === undefined ? chain.canBeOn : true;
    const scope = hopScope(chain.scope, hop, index);
    return withInner({ hop, scope, inner: scope, next: hops[index + 1], canBeOn });
  });
}

function withInner(at: HopAt): readonly HopAt[] {
  const { hop, scope } = at;
  const inside = { scope, canBeOn: false };
  switch (hop.kind) {
    case "one-of":
    case "all-of":
      return [at];
    case "choice":
      return [at, ...hop.branches.flatMap((branch) => inChain(branch.hops, inside))];
    case "match":
      return [at, ...hop.cases.flatMap((one) => inChain(one.hops, inside))];
    case "each": {
      const inner = typedItemScope(hop, scope);
      return [
        { ...at, inner },
        ...inChain(hop.body, { scope: inner, canBeOn: false }),
        ...hop.flows.flatMap((flow) => inFlow(flow, inner)),
      ];
    }
  }
}

/**
 * Returns the scope of the body of an `each`: the scope around it and the item's variable. Reports
 * nothing about the list, which the check of expressions reports.
 */
function typedItemScope(each: EachAst, scope: Scope): Scope {
  const type = checkExpression(each.items, scope, () => undefined);
  return itemScope(scope, each, itemType(type, scope.symbols.file.types));
}
