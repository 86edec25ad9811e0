/** Functions of TypeScript as tools: what a model is told that they take, by their types and doc comments. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSignatures } from "../../../kernel/programs/program-tools.ts";

const TYPES = `/** A place. */
export interface Place {
  /** Its name. */
  readonly city: string;
  country?: "ch" | "de";
}
export enum Kind { A = "a", B = "b" }
`;

const place = {
  type: "object",
  description: "A place.",
  properties: {
    city: { type: "string", description: "Its name." },
    country: { enum: ["ch", "de"] },
  },
  required: ["city"],
  additionalProperties: false,
};
const { description: _, ...plainPlace } = place;

const inputOf = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** A function `f`, and its input or what is in the way of one. */
const CASES: readonly (readonly [text: string, expected: object | string])[] = [
  [
    "/** @param q what to look for */\nexport function f(q: string, limit = 5, tags?: readonly string[]) { return q; }",
    inputOf(
      {
        q: { type: "string", description: "what to look for" },
        limit: { type: "number" },
        tags: { type: "array", items: { type: "string" } },
      },
      ["q"],
    ),
  ],
  [
    "export function f(x: string | number | null, level: 1 | 'high') { return x; }",
    inputOf({
      x: { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
      level: { enum: [1, "high"] },
    }),
  ],
  ["export const f = async ({ city }: Place) => city;", place],
  ["export const f = (input: Partial<Place>) => input;", { ...plainPlace, required: [] }],
  [
    "export const f = (input: Omit<Place, 'country'> & { zip?: number }) => input;",
    inputOf({ city: place.properties.city, zip: { type: "number" } }, ["city"]),
  ],
  [
    "export function f(places: Place[], by: Record<string, Kind>) { return places; }",
    inputOf({
      places: { type: "array", items: place },
      by: { type: "object", additionalProperties: { enum: ["a", "b"] } },
    }),
  ],
  // The last overload counts, as for TypeScript's own `Parameters`.
  [
    "export function f(a: string): string;\nexport function f(a: number, b?: string): string;\nexport function f(a: unknown) { return `${a}`; }",
    inputOf({ a: { type: "number" }, b: { type: "string" } }, ["a"]),
  ],
  // Its return type is no parameter.
  ["export function f<T>(key: string) { return key as T; }", inputOf({ key: { type: "string" } })],
  ["export function f<T>(x: T) { return x; }", "it is generic, and what `T` is"],
  ["export const f = <T extends Place>(input: T) => input;", "it is generic, and what `T` is"],
  ["export function f<Item>(list: Item[]) { return list; }", "it is generic, and what `Item` is"],
  ["export function f(when: Date) { return when; }", "its parameter `when` is a `Date`"],
  ["export function f(done: () => void) { done(); }", "its parameter `done` is a `() => void`"],
  ["export function f(x: any) { return x; }", "its parameter `x` is `any`"],
  ["export function f(...words: string[]) { return words; }", "takes any number of arguments"],
];

test("imported types, optional parameters, unions, lists, overloads; what is generic is refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-tool-parameters-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "types.ts"), TYPES);
  const asked = CASES.map(([text], at) => {
    const head = 'import { type Place, Kind } from "./types.ts";\n';
    writeFileSync(join(folder, `f${at}.ts`), `${head}${text}\n`);
    return { name: `f${at}`, from: `./f${at}.ts`, path: ["f"] };
  });
  const found = await findSignatures(join(folder, "program.madrigal"), asked);
  expect(found).toHaveLength(CASES.length);
  for (const [at, [text, expected]] of CASES.entries()) {
    const { input, fault } = found[at]?.signature ?? {};
    if (typeof expected === "string") expect(fault, text).toContain(expected);
    else expect(input, text).toEqual(expected);
  }
});
