/** The schema of a graph's parameters is one that Ajv, which most MCP clients use, takes; and it takes the values that fit the types. */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parametersSchema } from "../../../dsl/index.ts";
import { misfits } from "../../../runtime/state/json-schema.ts";
import { compiled } from "../report.ts";

/** A type as people write it, and a value of it. */
interface TypedValue {
  readonly type: string;
  readonly value: unknown;
}

const of = (type: string, values: fc.Arbitrary<unknown>) =>
  values.map((value) => ({ type, value }));

const leaf: fc.Arbitrary<TypedValue> = fc.oneof(
  of("string", fc.string()),
  of("number", fc.double({ noNaN: true, noDefaultInfinity: true })),
  of("int", fc.integer()),
  of("boolean", fc.boolean()),
  of("null", fc.constant(null)),
  of("Json", fc.jsonValue()),
  of('"x"', fc.constant("x")),
  of('"x" | 3 | null', fc.constantFrom("x", 3, null)),
  of("Plain", fc.record({ u: fc.integer() })),
  of(
    "Tree",
    fc.letrec((tie) => ({
      tree: fc.record({
        v: fc.integer(),
        below: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie("tree"), { maxLength: 2 })),
      }),
    })).tree,
  ),
);

const { typed } = fc.letrec<{ readonly typed: TypedValue }>((tie) => {
  const below = tie("typed");
  return {
    typed: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      below.map(({ type, value }) => ({ type: `Array<${type}>`, value: [value, value] })),
      below.map(({ type, value }) => ({ type: `Private<${type}>`, value })),
      below.map(({ type, value }) => ({
        type: `Record<string, ${type}>`,
        value: { "a b": value },
      })),
      fc
        .tuple(below, below)
        .map(([a, b]) => ({ type: `[${a.type}, ${b.type}]`, value: [a.value, b.value] })),
      fc.tuple(below, below, fc.boolean()).map(([a, b, isThere]) => ({
        type: `{ a: ${a.type}, b?: ${b.type} }`,
        value: { a: a.value, ...(isThere ? { b: b.value } : {}) },
      })),
      fc.tuple(below, below).map(([a, b]) => ({ type: `${a.type} | ${b.type}`, value: b.value })),
    ),
  };
});

function schemaOf(type: string) {
  return parametersSchema(
    compiled(`type Plain = { u: int }
type Tree = { v: int, below: Tree[] }
graph G(p: ${type}) returns a { state { a: Json }
run x = f(p) writes a
start -> x -> end }`),
  );
}

test("for each type of the language, and for no value that does not fit", () => {
  const ajv = new AjvJsonSchemaValidator();
  fc.assert(
    fc.property(typed, fc.jsonValue(), ({ type, value }, other) => {
      const schema = schemaOf(type);
      const fits = ajv.getValidator(schema as never);
      expect(fits({ p: value })).toMatchObject({ valid: true });
      expect(fits({})).toMatchObject({ valid: false });
      expect(fits({ p: value, q: 1 })).toMatchObject({ valid: false });
      // Ours says the same of any other value.
      expect(fits({ p: other }).valid).toBe(misfits({ p: other }, schema).length === 0);
    }),
    { numRuns: 200 },
  );
});
