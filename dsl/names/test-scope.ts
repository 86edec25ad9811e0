/** Defines the names that a test may use: fields, parameters, and facts of the run. */
import type { TypeIr } from "../ir/ir.ts";
import { NUMBER, STRING } from "../ir/types.ts";
import { ERROR_NAME, ERROR_TYPE, flowScope, type Scope, withVariable } from "./scope.ts";
import type { GraphSymbols } from "./symbol-tables.ts";

/**
 * The scope of what a test gives, lets nodes say, and expects. Where a graph calls a field or parameter `cost`, that is
 * meant; `run.` in front says the run's.
 */
export function testScope(symbols: GraphSymbols): Scope {
  const types = typesOfWords();
  return Object.entries(types)
    .filter(([word]) => !symbols.fields.has(word) && !symbols.params.has(word))
    .reduce((scope, [word, type]) => withVariable(scope, word, type), flowScope(symbols));
}

function typesOfWords(): Readonly<Record<string, TypeIr>> {
  const text = { kind: "union", types: [STRING, { kind: "literal", value: null }] } as const;
  const call = objectOf({
    node: STRING,
    tool: STRING,
    input: JSON_TYPE,
    result: JSON_TYPE,
    fails: text,
  });
  return {
    cost: NUMBER,
    steps: NUMBER,
    path: { kind: "array", of: STRING },
    toolCalls: { kind: "array", of: call },
    status: oneOf(["succeeded", "failed"]),
    [ERROR_NAME]: { kind: "union", types: [ERROR_TYPE, { kind: "literal", value: null }] },
  };
}

const JSON_TYPE: TypeIr = { kind: "named", name: "Json", args: [] };

function objectOf(types: Readonly<Record<string, TypeIr>>): TypeIr {
  const members = Object.entries(types).map(([name, type]) => ({ name, optional: false, type }));
  return { kind: "object", members };
}

function oneOf(values: readonly string[]): TypeIr {
  return { kind: "union", types: values.map((value) => ({ kind: "literal", value })) };
}
