/** Finds what the steps of a plan read of the calling graph; in the graph of the plan these are parameters. */
import type { ExprIr, Ir, NodeIr, ParamIr } from "../ir/ir.ts";
import { walk } from "../ir/visit-tree.ts";

type PlanNameIr = ExprIr & { readonly kind: "name" };

/** The parameters and fields of the calling graph that a node's expressions name. */
export function readBy(node: NodeIr): readonly PlanNameIr[] {
  const { writes: _, params, prompt, ...rest } = node;
  return fieldsIn([rest, params.slice(2), prompt]).filter(({ name }) => name !== "results");
}

export function fieldsIn(part: unknown): readonly PlanNameIr[] {
  const found: PlanNameIr[] = [];
  walk([part], (one) => {
    const { kind, of } = one as Partial<PlanNameIr>;
    if (kind === "name" && (of === "field" || of === "param"))
      found.push(one as unknown as PlanNameIr);
  });
  return found;
}

export function liftedParams(ir: Ir, used: ReadonlySet<string>): readonly ParamIr[] {
  const known = [
    ...ir.params.map(({ name, type }) => ({ name, type })),
    ...ir.fields.map(({ name, type }) => ({ name, type })),
  ];
  return known
    .filter(({ name }) => used.has(name))
    .map((one): ParamIr => ({ ...one, optional: true }));
}

/** A field of the calling graph is a parameter of this one: it has the value of the time of the call. */
export function lifted<T>(part: T): T {
  if (Array.isArray(part)) return part.map(lifted) as T;
  if (typeof part !== "object" || part === null) return part;
  const { kind, of, name } = part as Partial<PlanNameIr>;
  if (kind === "name" && of === "field" && name !== "results") return { ...part, of: "param" };
  return Object.fromEntries(
    Object.entries(part).map(([key, member]) => [key, lifted(member)]),
  ) as T;
}

export function usesMemory({ recalls, stores, tools }: NodeIr, name: string): boolean {
  const named = [...recalls, ...stores].some(({ memory }) => memory === name);
  return named || tools.some(([head]) => head === name);
}
