/** The graph of a test as it runs there: nobody is asked, nothing judges, and what is given stands for the defaults. */
import type { Ir, NodeIr, TestIr } from "../../dsl/index.ts";
import { evaluate } from "../scheduler/expressions/evaluate.ts";
import { settingOf } from "../scheduler/lookup.ts";

/** Approvals approve, `else ask` goes on, judges are content, breakpoints and caches are passed over. */
export function graphOfTest({ ir, givens }: TestIr): Ir {
  const given = new Map(givens.map(({ name, of, value }) => [`${of} ${name}`, value]));
  const { limit, ...rest } = ir;
  return {
    ...rest,
    approvals: [],
    breaks: [],
    fields: ir.fields.map((field) => {
      const value = given.get(`field ${field.name}`);
      return value === undefined ? field : { ...field, default: value };
    }),
    nodes: ir.nodes.map(nodeOfTest),
    ...(limit === undefined || limit.elseAsk ? {} : { limit }),
  };
}

function nodeOfTest({ limit, cache: _, ...node }: NodeIr): NodeIr {
  return {
    ...node,
    approvals: [],
    ensures: node.ensures.filter(({ by, elseAsk }) => by === undefined && !elseAsk),
    ...(limit === undefined || limit.elseAsk ? {} : { limit }),
  };
}

/** The input of a test's run; a later value may name an earlier one. */
export function inputOfTest({ ir, givens }: TestIr): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  const lookup = (name: string): unknown => {
    if (Object.hasOwn(input, name)) return input[name];
    return settingOf(ir, name);
  };
  for (const { name, of, value } of givens) {
    if (of === "param") input[name] = evaluate(value, lookup);
  }
  return input;
}
