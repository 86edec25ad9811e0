/** TypeScript 7 with our declarations says of a cell what TypeScript 6 says of it. */
import { afterAll, describe, expect, test } from "vitest";
import { createConverterProgram } from "../../../../kernel/types/cells/cell-program.ts";
import { cellModule } from "../../../../kernel/types/cells/cell-text.ts";
import { mergeDeclarations } from "../../../../kernel/types/cells/declarations.ts";
import { compilerOptions } from "../../../../kernel/types/compiler/compiler-options.ts";
import { loadCompiler } from "../../../../kernel/types/compiler/tslab-converter.ts";
import { analyzeCell } from "../../../../kernel/types/native/analyze-cell.ts";
import { findNativeProgram } from "../../../../kernel/types/native/find-native-program.ts";
import { NativeCompiler } from "../../../../kernel/types/native/native-compiler.ts";

const compiler = loadCompiler();
const six = createConverterProgram(compiler);
const native = new NativeCompiler(findNativeProgram(), loadCompiler);
const options = compilerOptions(compiler);
afterAll(() => {
  six.close();
  native.close();
});

/** Undefined where only TypeScript 6 can write the declarations. */
function bySeven(code: string, earlier: string) {
  const module = cellModule(compiler, code);
  return analyzeCell({ module, earlier }, { compiler, options, native });
}

/** One notebook; later cells use names of earlier ones. */
const CELLS = [
  "const a = 1, d = [a]; let b = 2; let later; let lit: 'a' | 'b' = 'a'; const w = lit",
  "const f = (x: number) => x * 2; function g(x: number, y = 2) { return { x, y } }",
  "async function h() { return 1 } function* gen() { yield 1 } const lam = function () { return a }",
  "/** Doc.\n * @param q the q */\nfunction doc(q: string): string { return q }\n/** A person. */\nconst person = { name: 'x' }",
  "interface T { id: number } type U = T | string; enum E { a, b = 4 } const enum CE { z = 3 } declare const amb: number",
  "class A { x = 1; readonly y = 'lit'; #p = 2; private q = [1]; static s = new Map<string, T>(); constructor(public z: number) {} m() { return this.x } get v() { return this.x } async am(t: T) { return t } }",
  "class B extends A { override m() { return 2 } }\nabstract class Abs<X> { abstract go(x: X): void; opt?: string }",
  "import { join, sep as separator } from 'node:path'; import * as fs from 'node:fs'; import type { Stats } from 'node:fs'; import { type Dirent, Mode } from 'node:fs'; fs.statSync(join('/', separator))",
  "import { z } from 'zod'; const schema = z.object({ a: z.string(), n: z.number().optional() }); type S = z.infer<typeof schema>",
  "const sym = Symbol('x'); const big = 12n; const neg = -1; const bool = true; const un = undefined; const nul = null; const re = /x/; const e2 = E.a; const ce = CE.z",
  "const as1 = [1, 2] as const; const isStr = (v: unknown) => typeof v === 'string'; function isNum(v: unknown) { return typeof v === 'number' }",
  "if (true) { var deep = 6 } for (var i = 0; i < 2; i++) { var inner = [i] }",
  "const p1 = new A(1); const list = [p1].map((one) => ({ one, b: new B(2) })); const all = Promise.all([1, 'x'])",
  "function over(a: string): string; function over(a: number): number; function over(a: any): any { return a }",
  "export const ex = 1; export default ex + 1",
  "await Promise.resolve(1)",
  "const rec: Record<string, T> = {}; let maybe: T | undefined; const g3 = g; const A2 = A",
  "type Page<T> = { items: T[]; next?: Page<T> }; function page<T>(items: T[]): Page<T> { return { items } } const pg = page([a])",
  "const { q1, r: [u1, ...rest1], ...others } = { q1: 1 as const, r: [new Date(), 1] as [Date, number], k: 'k' }",
];

describe("a cell comes to the same by both compilers", () => {
  let earlier = "";
  test.each(CELLS)("%s", (code) => {
    const [wanted, found] = [six.analyze(code, earlier), bySeven(code, earlier)];
    expect(wanted.diagnostics).toEqual([]);
    expect(found?.diagnostics).toEqual([]);
    const { declarations = "", module, ...facts } = wanted.emitted ?? {};
    const { declarations: declared = "", module: emitted, ...foundFacts } = found?.emitted ?? {};
    expect(alike(declared)).toEqual(alike(declarations));
    expect(withoutMap(emitted)).toBe(withoutMap(module));
    expect(foundFacts).toEqual(facts);
    earlier = mergeDeclarations(compiler, earlier, declarations);
  });

  test.each([
    ["const mixed = Math.random() > 0.5 ? 1 : 'x'", "declare const mixed: number | string;"],
    ["let copy = { ...{ a: 1 } }", "declare let copy: { a: number; };"],
    ["using gone = { [Symbol.dispose]() {} }", "declare let gone: { [Symbol.dispose](): void; };"],
  ])("%s", (code, declared) => {
    expect(bySeven(code, "")?.emitted?.declarations).toBe(declared);
  });
});

/** Statements, each variable by itself, without how they are broken into lines. */
function alike(declarations: string): readonly string[] {
  const file = compiler.createSourceFile(
    "a.d.ts",
    declarations,
    compiler.ScriptTarget.Latest,
    true,
  );
  return file.statements.flatMap((statement) => {
    if (compiler.isExportDeclaration(statement)) return [];
    if (!compiler.isVariableStatement(statement)) return [flat(statement.getFullText())];
    const { declarationList: list } = statement;
    const word = (list.flags & compiler.NodeFlags.Const) === 0 ? "let" : "const";
    return list.declarations.map((one) => `${word} ${flat(one.getText())}`);
  });
}

function flat(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[;,] (?=[}\]])/g, " ")
    .replace(/;$/, "");
}

function withoutMap(module = ""): string {
  return module.replace(/\n?\/\/# sourceMappingURL=.*/, "");
}

/** A cell, and one after it that is wrong. */
const WRONG = [
  ["const known = 1", "knwon + 1"],
  ["const fixed = 1", "fixed = 2"],
  ["let text: string = ''", "text = 2; ({ text } = { text: 3 }); for (text of [1]);"],
  ["function call() {}", "call = 1 as never"],
  ["class Kind { n = 1 }", "Kind = 1 as never; new Kind().m"],
  ["enum Side { left }", "Side = 1 as never; Side.right"],
  [
    "interface Task { a: string; b: string } function take(task: Task) {}",
    "take({ a: '' }); take({});",
  ],
  [
    "interface Long { a: 1; b: 1; c: 1; d: 1; e: 1; f: 1 }",
    "((one: Long) => one)({}); new Array<Long>(1).push({ a: 1 })",
  ],
  ["const grüße = '🎉'", "'🎉'; grüße.nothing"],
  ["const value = 1", "type value = string; const s: value = 1"],
  ["import { join } from 'node:path'", "join = 1 as never; join(1)"],
];

test.each(WRONG)("%s; %s: both say the same of it", (before, code) => {
  const earlier = mergeDeclarations(
    compiler,
    "",
    six.analyze(before, "").emitted?.declarations ?? "",
  );
  const wanted = six.analyze(code, earlier).diagnostics;
  expect(wanted).not.toEqual([]);
  expect(bySeven(code, earlier)?.diagnostics).toEqual(wanted);
});

test.each([
  "function called() {} called.extra = 1",
  "class Mixed extends ((base: typeof Date) => base)(Date) {}",
  "new Map<Date, 1>([[{}, 1]])",
  "const group = { /** Looks a word up. */ find(word: string) { return word } }",
  "enum Counted { a = 'x'.length }",
])("%s is left to TypeScript 6", (code) => {
  expect(bySeven(code, "")).toBeUndefined();
});
