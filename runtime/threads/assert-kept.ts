/** Checks that fields of one thread or user have one meaning in all graphs of a run. */
import {
  canonicalJson,
  type FieldIr,
  type Ir,
  type ReducerIr,
  sha256,
  toJsonSchema,
  withoutSpans,
} from "../../dsl/index.ts";
import { RunError } from "../failure.ts";

type NamedGraph = Omit<Ir, "graphs">;

interface DeclaredField {
  readonly graph: NamedGraph;
  readonly field: FieldIr;
}

/** Throws M5351 where two graphs of a run keep something else under one name. */
export function assertKeptAlike(ir: Ir): void {
  const known = new Map<string, DeclaredField>();
  for (const graph of [ir, ...(ir.graphs ?? [])]) {
    for (const field of graph.fields) {
      const { scope, name } = field;
      if (scope !== "thread" && scope !== "user") continue;
      const key = `${scope} ${name}`;
      const before = known.get(key);
      if (before !== undefined) assertAlike(before, { graph, field });
      else known.set(key, { graph, field });
    }
  }
}

function assertAlike(one: DeclaredField, other: DeclaredField): void {
  const [known, found] = [declarationText(one), declarationText(other)];
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
function declarationText({ graph, field: { type, reducer } }: DeclaredField): string {
  const types = new Map(graph.types.map((one) => [one.name, one.type]));
  const { schema } = toJsonSchema(type, types);
  const args = reducer.args.map((arg) => canonicalJson(withoutSpans(arg))).join(", ");
  const by = args === "" ? "" : ` by ${sha256(args).slice(0, 6)}`;
  return `${JSON.stringify(schema)} via ${reducer.name}${by}${importOf(graph, reducer)}`;
}

/** Returns the module that a reducer in TypeScript comes from; two files may each have one of its name. */
function importOf({ imports, source }: NamedGraph, { custom, name }: ReducerIr): string {
  const found = custom ? imports.find(({ as }) => as === name.split(".")[0]) : undefined;
  if (found === undefined) return "";
  return ` (\`${found.name}\` of ${declarationPlace(found.from, source?.file)})`;
}

/** `./merge.ts` of `graphs/search.madrigal` is `graphs/merge.ts`. */
function declarationPlace(from: string, file = ""): string {
  if (!from.startsWith(".")) return from;
  const parts = file.split("/").slice(0, -1);
  for (const part of from.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
