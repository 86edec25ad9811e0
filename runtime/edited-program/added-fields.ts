/** Computes the first values of fields that a program has gained since its run began. */
import type { FieldIr, Ir } from "../../dsl/index.ts";
import { evaluate } from "../scheduler/expressions/evaluate.ts";
import { constant, lookupAt } from "../scheduler/lookup.ts";
import { link } from "../scheduler/program/link.ts";
import type { NumberedIr } from "../scheduler/program/numbering.ts";
import { ROOT, type Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { Block } from "./program-change.ts";

interface Adding {
  readonly before: NumberedIr;
  /** The program to come, with all names of the log. */
  readonly ir: NumberedIr;
  readonly then: Snapshot;
}

export function withAdded({
  before,
  ir,
  then,
}: Adding): { readonly ir: NumberedIr } | { readonly blocks: readonly Block[] } {
  const program = link(ir);
  const lookup = lookupAt(program, then, { frame: ROOT, scope: ROOT });
  const own = begun(before, ir, (field) => field.default && evaluate(field.default, lookup));
  const called = (ir.graphs ?? []).map((graph) => {
    const was = before.graphs?.find(({ name }) => name === graph.name);
    if (was === undefined) return { graph, blocks: [] };
    const { values, blocks } = begun(
      was,
      graph,
      (field) => field.default && constant(field.default),
    );
    const within = blocks.map(({ why }) => ({ why: `${why} (of \`${graph.name}\`)` }));
    return { graph: withValues(graph, values), blocks: within };
  });
  const blocks = [...own.blocks, ...called.flatMap((one) => one.blocks)];
  if (blocks.length > 0) return { blocks };
  const graphs = called.map(({ graph }) => graph);
  return { ir: { ...withValues(ir, own.values), ...(graphs.length === 0 ? {} : { graphs }) } };
}

function begun(
  before: Pick<NumberedIr, "fields">,
  now: NumberedIr,
  beginsWith: (field: FieldIr) => unknown,
) {
  const known = new Set(before.fields.map(({ name }) => name));
  const values: Record<string, unknown> = {};
  const blocks: Block[] = [];
  for (const field of now.fields) {
    const { name, scope } = field;
    if (known.has(name) || now.fieldNames?.[name] !== undefined) continue;
    if (scope === "thread" || scope === "user") {
      blocks.push({
        why: `field \`${name}\` is new, and what its ${scope} has of it was to be there at the start`,
      });
      continue;
    }
    try {
      const value = beginsWith(field);
      if (value !== undefined) values[name] = value;
    } catch {
      blocks.push({
        why: `field \`${name}\` is new and begins with a value that is known only at the start`,
      });
    }
  }
  return { values, blocks };
}

function withValues<T extends Omit<Ir, "graphs">>(
  ir: T & Pick<NumberedIr, "added">,
  values: Record<string, unknown>,
): T {
  if (Object.keys(values).length === 0) return ir;
  return { ...ir, added: { ...ir.added, ...values } };
}
