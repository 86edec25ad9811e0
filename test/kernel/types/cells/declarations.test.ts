import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeDeclarations } from "../../../../kernel/types/cells/declarations.ts";
import { loadCompiler } from "../../../../kernel/types/compiler/tslab-converter.ts";

const compiler = loadCompiler();

const CASES: readonly (readonly [title: string, earlier: string, added: string, merged: string])[] =
  [
    [
      "other names stay",
      "declare const a: 1;",
      "declare const b: 2;",
      "declare const a: 1;\ndeclare const b: 2;",
    ],
    [
      "a value takes the place of one",
      "declare const a: 1, b: 2;",
      "declare let a: 3;",
      "declare const b: 2;\ndeclare let a: 3;",
    ],
    [
      "a type leaves a value alone",
      "declare const a: 1;",
      "type a = 2;",
      "declare const a: 1;\ntype a = 2;",
    ],
    [
      "a class takes both",
      "type a = 1;\ndeclare function a(): void;",
      "declare class a { }",
      "declare class a { }",
    ],
    [
      "overloads stay together",
      "declare const f: 1;",
      "declare function f(): void;\ndeclare function f(a: 1): void;",
      "declare function f(): void;\ndeclare function f(a: 1): void;",
    ],
    [
      "a namespace of types is a type",
      "declare const G: 1;\ndeclare namespace G { type I = 1; }",
      "declare const G: 2;",
      "declare namespace G { type I = 1; }\ndeclare const G: 2;",
    ],
    [
      "what is left of an import",
      'import a, { b, c as d } from "x";',
      "declare const a: 1, d: 1;",
      'import { b } from "x";\ndeclare const a: 1, d: 1;',
    ],
    [
      "a namespace import goes whole",
      'import * as a from "x";',
      "declare const a: 1;",
      "declare const a: 1;",
    ],
    [
      "what is global stays",
      "declare global { var g: 1; }",
      "declare const g: 2;",
      "declare global { var g: 1; }\ndeclare const g: 2;",
    ],
    ["an empty export is no declaration", "export {};", "export {};", ""],
  ];

test.each(CASES)("%s", (_title, earlier, added, merged) => {
  expect(mergeDeclarations(compiler, earlier, added)).toBe(merged);
});

test("what was merged last need not be parsed again: it comes to the same", () => {
  const names = fc.constantFrom("a", "b", "c");
  const added = fc.oneof(
    names.map((name) => `declare let ${name}: number;`),
    fc.tuple(names, names).map(([one, other]) => `declare const ${one}: 1, ${other}X: 2;`),
    names.map((name) => `interface ${name} { x: 1 }\nexport {};`),
    names.map((name) => `import { ${name}, ${name}X as ${name}Y } from "m";`),
    fc.constant("declare global { var g: 1 }"),
  );
  fc.assert(
    fc.property(fc.array(added, { maxLength: 6 }), (texts) => {
      const anew = (earlier: string, text: string) => {
        mergeDeclarations(compiler, "declare let other: 1;", "");
        return mergeDeclarations(compiler, earlier, text);
      };
      const kept = (earlier: string, text: string) => mergeDeclarations(compiler, earlier, text);
      expect(texts.reduce(kept, "")).toBe(texts.reduce(anew, ""));
    }),
    { numRuns: 60 },
  );
});
