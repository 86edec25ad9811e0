/** Writes the checks of what is written to a field. */
import {
  type FieldIr,
  findByName,
  type ParamIr,
  type ReducerIr,
  reducerFacts,
  type Span,
  type TypeIr,
} from "../../../../dsl/index.ts";
import { scopeName } from "./prelude.ts";
import { type DeclaredTypes, typeText } from "./type-text.ts";
import { type GraphContext, VALUE, writeCheck } from "./write-check.ts";
import { toSpan } from "./write-expression.ts";

/** The type of a field as TypeScript, in brackets where it needs them. */
export function fieldType(
  field: Pick<FieldIr | ParamIr, "optional" | "type">,
  declared: DeclaredTypes,
): string {
  return field.optional
    ? `${typeText(field.type, declared)} | undefined`
    : typeText(field.type, declared);
}

/** A default, and the reducer of a field. */
export function writeField(context: GraphContext, field: FieldIr): void {
  writeDefault(context, field);
  const place = context.places.reducer(field.name) ?? toSpan(field.span);
  writeReducer(context, { reducer: field.reducer, type: field.type, place });
}

/** A reducer over values of a type; one of TypeScript takes the value so far and what is written. */
export function writeReducer(
  { to, declared }: GraphContext,
  of: { readonly reducer: ReducerIr; readonly type: TypeIr; readonly place: Span | undefined },
): void {
  const { name, custom, args } = of.reducer;
  const type = typeText(of.type, declared);
  if (!custom) {
    for (const argument of args)
      writeCheck(to, { call: `$by<${type}>`, purpose: "reducer" }, argument);
    return;
  }
  for (const argument of args) writeCheck(to, VALUE, argument);
  // With arguments it is called first, and what comes of that is the reducer.
  if (args.length > 0) return;
  to.raw(`$is<(before: ${type}, written: any) => unknown>(`);
  to.for("reducer", of.place, () => void to.raw(scopeName(name)));
  to.raw(");\n");
}

/** A default, which has the field's type. */
export function writeDefault({ to, declared }: GraphContext, field: FieldIr | ParamIr): void {
  const call = `$is<${fieldType(field, declared)}>`;
  writeCheck(to, { call, purpose: "default" }, field.default);
}

/**
 * Returns the type that may be written into a field: its own, an item of a list that grows, part of
 * an object that is merged.
 */
export function writtenType(
  { graph, declared }: GraphContext,
  name: string,
  via?: ReducerIr,
): string {
  const field = findByName(graph.fields, name);
  if (field === undefined) return "any";
  const type = fieldType(field, declared);
  const reducer = via ?? field.reducer;
  if (reducer.custom) return "any";
  switch (reducerFacts(reducer.name)?.on) {
    case "list":
      return `$Item<${type}>`;
    case "messages":
      return "any";
    case "object":
      return `Partial<${type}>`;
    default:
      return type;
  }
}
