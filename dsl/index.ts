/** The door of the language: a text goes in, checked graphs and diagnostics come out. Nothing else of dsl/ is imported from outside. */

export type { Code, CodePage } from "./codes.ts";
export { codes } from "./codes.ts";
export type { Checked, CheckOptions } from "./compile.ts";
export { check } from "./compile.ts";
export type { Diagnostic, Finding, Related } from "./diagnostic.ts";
export { sortDiagnostics } from "./diagnostic.ts";
export { type Framed, renderDiagnostic } from "./frame.ts";
export { canonicalJson, hashIr, sha256, withoutSpans } from "./hash.ts";
export type * from "./ir.ts";
export { mermaid } from "./mermaid.ts";
export { arrayMethods, numberMethods, stringMethods } from "./methods.ts";
export { nearest } from "./nearest.ts";
export { print } from "./print/print.ts";
export { printDuration, printExpression } from "./print/print-expression.ts";
export { printAssigns, printCount } from "./print/print-flow.ts";
export { toJsonSchema } from "./schema.ts";
export type { Position, Source, Span } from "./source.ts";
export { positionAt } from "./source.ts";
export { parse } from "./syntax/parse.ts";
