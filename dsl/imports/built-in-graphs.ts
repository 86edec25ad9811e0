/** Graphs that every file can call without declaring them. */
import type { Ir } from "../ir/ir.ts";
import type { GraphDecl } from "../syntax/tree/ast.ts";
import { raisedGraph } from "./raised.ts";

type GraphHead = Pick<Ir, "params" | "returns" | "types" | "fields">;

/** A plan is data of the run: the engine makes its graph when the node starts. */
const PLAN_GRAPH: GraphHead = {
  params: [
    { name: "plan", optional: false, type: { kind: "named", name: "Plan", args: [] } },
    { name: "done", optional: true, type: { kind: "named", name: "Json", args: [] } },
  ],
  returns: ["results"],
  types: [],
  fields: [
    {
      name: "results",
      scope: "run",
      optional: false,
      type: { kind: "named", name: "Json", args: [] },
      reducer: { name: "replace", custom: false, args: [] },
    },
  ],
};

const NOWHERE = { start: 0, end: 0 };

/** The graphs that are built in, as declarations without a place in a text. */
export const BUILT_IN_GRAPHS: readonly GraphDecl[] = [
  raisedGraph({ text: "planGraph", span: NOWHERE }, PLAN_GRAPH),
];
