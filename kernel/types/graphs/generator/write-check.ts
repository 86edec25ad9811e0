/** Holds what the writers of one check share. */
import type { ExprIr, FieldIr, Ir } from "../../../../dsl/index.ts";
import type { GraphsToCheck } from "../../service.ts";
import type { Purpose, TextWriter } from "./mapped-text.ts";
import type { GraphPlaces } from "./places.ts";
import { type RoutesByNode, routesByNode } from "./routes-by-node.ts";
import type { DeclaredTypes } from "./type-text.ts";
import { toSpan, writeExpression } from "./write-expression.ts";
import type { Subgraphs } from "./write-subgraphs.ts";

/** The context that the parts of a graph's check share. */
export interface GraphContext {
  readonly graph: Ir;
  readonly declared: DeclaredTypes;
  /** The graphs that this one may call. */
  readonly subgraphs: Subgraphs;
  readonly places: GraphPlaces;
  readonly to: TextWriter;
  /** The fields by the node that owns them; those of the graph and of items under undefined: all names differ. */
  readonly ownFields: ReadonlyMap<string | undefined, readonly FieldIr[]>;
  readonly routes: RoutesByNode;
  /** The servers and memories of whose tools nothing is known here. */
  readonly servers: ReadonlySet<string>;
  /** Nodes that read the same are checked once: what is wrong there is not told of each. */
  readonly isByClass: boolean;
}

/** Completes the context of a graph by what its nodes are asked for one by one. */
export function contextOf({
  offered,
  ...of
}: Omit<GraphContext, "ownFields" | "routes" | "servers"> & {
  readonly offered?: GraphsToCheck["offered"] | undefined;
}): GraphContext {
  const { fields, edges } = of.graph;
  const ownFields = Map.groupBy(fields, ({ scope, owner }) =>
    scope === "item" ? undefined : owner,
  );
  return {
    ...of,
    ownFields,
    routes: routesByNode(edges),
    servers: untypedServers(of.graph, offered),
  };
}

/** Returns the servers and memories that a graph declares and whose tools have no types here. */
export function untypedServers(
  { mcps, memories }: Ir,
  offered: GraphsToCheck["offered"] = {},
): ReadonlySet<string> {
  return new Set(
    [...mcps, ...memories].flatMap(({ name }) => (Object.hasOwn(offered, name) ? [] : [name])),
  );
}

/** Writes `$purpose(expression);`. */
export function writeCheck(
  to: TextWriter,
  check: { readonly call: string; readonly purpose: Purpose },
  expression: ExprIr | undefined,
): void {
  if (expression === undefined) return;
  to.raw(`${check.call}(`);
  to.for(check.purpose, toSpan(expression.span), () => writeExpression(to, expression));
  to.raw(");\n");
}

export const CONDITION = { call: "$condition", purpose: "condition" } as const;
export const SHOWN = { call: "$shown", purpose: "shown" } as const;
export const TEXT = { call: "$is<string | null | undefined>", purpose: "value" } as const;
export const VALUE = { call: "$value", purpose: "value" } as const;
