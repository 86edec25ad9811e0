/** Says of a name that means nothing at its place why that is so. */
import { ERROR_NAME, type Scope, whyHidden } from "../../names/scope.ts";
import type { GraphDecl, Name } from "../../syntax/tree/ast.ts";

/** The names that people expect to see in a body and that are not there. */
export function hintForUnknown(name: string, { symbols, node }: Scope): string | undefined {
  if (name === "undefined") return "write `null`: what is not written yet equals it";
  if (name === ERROR_NAME)
    return "it is the failure on an arrow that is taken for one: `a -> b(error) on error`";
  const field = symbols.fields.get(name);
  const why = field && whyHidden(field);
  if (why !== undefined) return why;
  const { items } = symbols.graph;
  const variables = eachVariablesIn.get(items) ?? new Set(eachVariables(items));
  eachVariablesIn.set(items, variables);
  const isVariable = variables.has(name);
  if (!isVariable || node === undefined) return undefined;
  return `the item of an \`each\` comes in as a parameter: \`${node.name.text}(${name}: …)\``;
}

// A graph with many unknown names asks for each of them.
const eachVariablesIn = new WeakMap<GraphDecl["items"], ReadonlySet<string>>();

function eachVariables(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(eachVariables);
  if (typeof value !== "object" || value === null) return [];
  const own =
    "kind" in value && value.kind === "each" && "variable" in value ? [value.variable as Name] : [];
  return [...own.map((name) => name.text), ...Object.values(value).flatMap(eachVariables)];
}
