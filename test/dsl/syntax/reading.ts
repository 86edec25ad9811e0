/** The one place of these tests that knows the API: text in, lines of text out. */
import { readdirSync, readFileSync } from "node:fs";
import { toDiagnostic } from "../../../dsl/diagnostics/diagnostic.ts";
import { parse } from "../../../dsl/syntax/parse.ts";
import type { FileAst } from "../../../dsl/syntax/tree/ast.ts";
import { brief } from "./brief.ts";

export interface Program {
  readonly file: string;
  readonly text: string;
}

/** The six programs of the language definition. */
export const programs: readonly Program[] = readPrograms(new URL("../programs/", import.meta.url));

function readPrograms(folder: URL): Program[] {
  return readdirSync(folder)
    .filter((file) => /^\d.*\.madrigal$/.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));
}

/** The program whose file name begins so. */
export function program(start: string): string {
  const found = programs.find(({ file }) => file.startsWith(start));
  if (found === undefined) throw new Error(`no program begins with ${start}`);
  return found.text;
}

/** One line a diagnostic: `M2101 1:9 message (hint)`. */
export function report(text: string): string {
  const source = { file: "test.madrigal", text };
  return parse(source)
    .findings.map((finding) => toDiagnostic(source, finding))
    .map(({ code, line, column, message, hint }) => {
      const advice = hint === undefined ? "" : ` (${hint})`;
      return `${code} ${line}:${column} ${message}${advice}`;
    })
    .join("\n");
}

/** The tree, however much of it could be read. */
export function astOf(text: string): FileAst {
  return parse({ file: "test.madrigal", text }).ast;
}

/** The declarations of a file, one a line; throws if anything is wrong with it. */
export function file(text: string): string {
  const wrong = report(text);
  if (wrong !== "") throw new Error(wrong);
  return astOf(text).items.map(brief).join("\n");
}

/** The items of a graph, one a line. */
export function graph(items: string): string {
  const [decl] = cleanAst(`graph G {\n${items}\n}`).items;
  return decl?.kind === "graph" ? decl.items.map(brief).join("\n") : "no graph";
}

/** The clauses of a node, one a line. */
export function clauses(text: string): string {
  const [decl] = cleanAst(`graph G {\nagent a {\n${text}\n}\n}`).items;
  const node = decl?.kind === "graph" ? decl.items[0] : undefined;
  return node?.kind === "node" ? node.clauses.map(brief).join("\n") : "no node";
}

/** An expression, with every pair of parentheses written out. */
export function expression(text: string): string {
  const [decl] = cleanAst(`model m = ${text}`).items;
  return decl?.kind === "model" ? brief(decl.value) : "no expression";
}

export function type(text: string): string {
  const [decl] = cleanAst(`type T = ${text}`).items;
  return decl?.kind === "type" ? brief(decl.type) : "no type";
}

function cleanAst(text: string): FileAst {
  const wrong = report(text);
  if (wrong !== "") throw new Error(wrong);
  return astOf(text);
}
