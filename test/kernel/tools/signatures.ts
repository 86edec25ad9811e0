/** TypeScript signatures of tools, and what a model is told of each. */

export interface SignatureCase {
  readonly name: string;
  /** A module that exports `it`. */
  readonly module: string;
}

export const signatureCases: readonly SignatureCase[] = [
  {
    name: "a plain function with arguments of its own",
    module: `/**
 * Looks a word up.
 * @param word - what to look up
 * @param limit how many meanings to give
 */
export function it(word: string, limit = 3) { return word.repeat(limit); }`,
  },
  {
    name: "tool() with one object",
    module: `import { tool } from "madrigal";
type Kind = "madrigal" | "motet";
interface Query {
  /** Keywords. */
  readonly query: string;
  readonly kinds?: readonly Kind[];
  readonly span: { readonly from: number; readonly to: number | null };
  readonly tags: Readonly<Record<string, boolean>>;
}
export const it = tool(async ({ query }: Query, { signal }) => ({ query, late: signal.aborted }), {
  effect: "none",
  description: "searches",
});`,
  },
  {
    name: "tool() with several arguments and a context",
    module: `import { tool, type ToolContext } from "madrigal";
/**
 * Adds two numbers.
 * @param a the first one
 */
export const it = tool((a: number, b: number, context: ToolContext) => [a + b, context.signal.aborted], { effect: "none" });`,
  },
  {
    name: "tool() with a default",
    module: `import { tool } from "madrigal";
export const it = tool((word: string, times = 2) => word.repeat(times), { effect: "none" });`,
  },
  {
    name: "a function with a context alone",
    module: `import type { FunctionContext } from "madrigal";
export const it = async ({ now }: FunctionContext) => await now();`,
  },
  {
    name: "an object whose members are described by @param",
    module: `import { tool } from "madrigal";
/**
 * Writes a file.
 * @param file.path from the root
 */
function write(file: { path: string; text: string }) { return file; }
export const it = tool(write, { effect: "workspace" });`,
  },
  {
    name: "an enum, a tuple, a literal and a list of objects",
    module: `export const it = (level: "low" | "high", at: [number, number], mode: "fast", steps: { name: string }[]) => [level, at, mode, steps];`,
  },
  {
    name: "a type that contains itself",
    module: `interface Tree { readonly name: string; readonly children: readonly Tree[] }
export const it = (tree: Tree) => tree;`,
  },
  {
    name: "optional and nullable arguments",
    module: `export function it(a: string | null, b?: number, c: boolean | undefined = true) { return [a, b, c]; }`,
  },
];

/** Those that no model can be told. */
export const untoldCases: readonly SignatureCase[] = [
  {
    name: "a date",
    module: `export const it = (when: Date) => when.getTime();`,
  },
  {
    name: "an object with a function in it",
    module: `export const it = (of: { name: string; done: () => void }) => of.name;`,
  },
  {
    name: "an argument without a type",
    module: `export const it = (x: any) => x;`,
  },
  {
    name: "any number of arguments",
    module: `export const it = (...words: string[]) => words.join(" ");`,
  },
];
