/** Fields of one thread or user have one meaning in all graphs of a run. */
import { type FieldIr, type Ir, toJsonSchema } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { linkReducer } from "../scheduler/called-reducer.ts";

type Graph = Omit<Ir, "graphs">;

interface Declared {
  readonly graph: Graph;
  readonly field: FieldIr;
}

/** Throws M5351 where two graphs of a run keep something else under one name. */
export function assertKeptAlike(ir: Ir): void {
  const known = new Map<string, Declared>();
  for (const graph of [ir, ...(ir.graphs ?? [])]) {
    for (const field of graph.fields) {
      const { scope, name } = field;
      if (scope !== "thread" && scope !== "user") continue;
      if (graph !== ir) assertOurReducer(ir, graph, field);
      const key = `${scope} ${name}`;
      const before = known.get(key);
      if (before !== undefined) assertAlike(before, { graph, field });
      else known.set(key, { graph, field });
    }
  }
}

/** Whoever calls the graph folds what it wrote, and would have to find the function in the other file. */
function assertOurReducer(ir: Ir, { name: graph }: Graph, { name, scope, reducer }: FieldIr): void {
  if (linkReducer(reducer).called === undefined) return;
  throw new RunError(
    "M4900",
    `\`${ir.name}\` calls \`${graph}\`, and a reducer in TypeScript for \`state ${scope}\` of a called graph (\`${name}\`) is not built yet`,
    { hint: `keep \`${name}\` in \`${ir.name}\`, and give it to \`${graph}\` as a parameter` },
  );
}

function assertAlike(one: Declared, other: Declared): void {
  const [known, found] = [textOf(one), textOf(other)];
  if (known === found) return;
  const { name, scope } = other.field;
  throw new RunError(
    "M5351",
    `\`${one.graph.name}\` and \`${other.graph.name}\` both keep \`${name}\` for the ${scope}, and not alike: ${known}, and ${found}`,
    {
      hint: `a ${scope} has one field of a name: give one of another type or reducer another name`,
    },
  );
}

/** The type of a field and how writes merge into it. */
function textOf({ graph, field: { type, reducer } }: Declared): string {
  const types = new Map(graph.types.map((one) => [one.name, one.type]));
  return `${JSON.stringify(toJsonSchema(type, types).schema)} via ${reducer.name}`;
}
