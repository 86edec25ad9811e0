/** Writes an expression of the language as TypeScript. */
import type { ArgIr, ExprIr, Span, SpanIr } from "../../../../dsl/index.ts";
import type { TextWriter } from "./mapped-text.ts";
import { localName } from "./prelude.ts";

/** Writes an expression of a graph as TypeScript, each part of it mapped to where it stands. */
export function writeExpression(to: TextWriter, expression: ExprIr): void {
  to.within(toSpan(expression.span), () => writeParts(to, expression));
}

/** A span of the IR as offsets by name. */
export function toSpan(span: SpanIr | undefined): Span | undefined {
  return span && { start: span[0], end: span[1] };
}

function writeParts(to: TextWriter, expression: ExprIr): void {
  const write = (inner: ExprIr) => writeOperand(to, inner);
  switch (expression.kind) {
    case "literal":
      to.raw(JSON.stringify(expression.value));
      return;
    case "duration":
      to.raw(String(expression.ms));
      return;
    case "money":
      to.raw(String(expression.usd));
      return;
    case "name":
      to.raw(nameText(expression));
      return;
    case "member":
      write(expression.object);
      to.raw(expression.optional ? "?." : ".");
      to.mapped(expression.name, endOf(expression.span, expression.name));
      return;
    case "index":
      write(expression.object);
      to.raw("[");
      writeExpression(to, expression.index);
      to.raw("]");
      return;
    case "call":
      write(expression.callee);
      writeArguments(to, expression.args);
      return;
    case "unary":
      to.raw(expression.op);
      write(expression.operand);
      return;
    case "binary":
      if (expression.op === "in") {
        writeIn(to, expression);
        return;
      }
      to.comparison(toSpan(literalOf(expression)?.span), () => {
        write(expression.left);
        to.raw(` ${OPERATORS[expression.op] ?? expression.op} `);
        write(expression.right);
      });
      return;
    case "conditional":
      write(expression.test);
      to.raw(" ? ");
      write(expression.then);
      to.raw(" : ");
      write(expression.else);
      return;
    case "lambda":
      to.raw(`(${expression.params.map(localName).join(", ")}) => `);
      write(expression.body);
      return;
    case "list":
      writeList(to, expression.items);
      return;
    case "spread":
      to.raw("...");
      write(expression.value);
      return;
    case "range":
      to.raw("...$range(");
      writeExpression(to, expression.from);
      to.raw(", ");
      writeExpression(to, expression.to);
      to.raw(")");
      return;
    case "object":
      writeObject(to, expression);
      return;
    case "merge":
      writeMerge(to, expression.parts);
      return;
    case "template":
      writeTemplate(to, expression);
      return;
  }
}

function nameText({ name, of }: ExprIr & { readonly kind: "name" }): string {
  // A type stands for its JSON Schema, which is a value of no name, and `visits(n)` is told the name of a node.
  if (of === "type") return "{}";
  return of === "node" ? JSON.stringify(name) : localName(name);
}

/** The literal that something is compared with. */
function literalOf({ left, right }: ExprIr & { readonly kind: "binary" }): ExprIr | undefined {
  if (right.kind === "literal") return right;
  return left.kind === "literal" ? left : undefined;
}

// The language's equality never converts, as TypeScript's triple one.
const OPERATORS: Readonly<Record<string, string>> = { "==": "===", "!=": "!==" };

/** The arguments of a call in brackets. The engine gives them by their places, whatever their labels; `writeLast` adds one. */
export function writeArguments(
  to: TextWriter,
  args: readonly ArgIr[],
  writeLast?: () => void,
): void {
  to.raw("(");
  for (const { value } of args) {
    writeExpression(to, value);
    to.raw(", ");
  }
  writeLast?.();
  to.raw(")");
}

/** The kinds of expression that need no parentheses inside another one. */
const BARE: ReadonlySet<ExprIr["kind"]> = new Set([
  ...(["literal", "duration", "money", "name", "member", "index"] as const),
  ...(["call", "list", "template"] as const),
]);

function writeOperand(to: TextWriter, expression: ExprIr): void {
  const bare = BARE.has(expression.kind);
  to.raw(bare ? "" : "(");
  writeExpression(to, expression);
  to.raw(bare ? "" : ")");
}

function writeList(to: TextWriter, items: readonly ExprIr[]): void {
  to.raw("[");
  for (const [index, item] of items.entries()) {
    if (index > 0) to.raw(", ");
    writeExpression(to, item);
  }
  to.raw("]");
}

/** `in` looks into lists, texts and objects, which TypeScript's own does not. */
function writeIn(to: TextWriter, { left, right }: ExprIr & { readonly kind: "binary" }): void {
  to.raw("$isIn(");
  writeExpression(to, right);
  to.raw(", ");
  writeExpression(to, left);
  to.raw(")");
}

function writeMerge(to: TextWriter, parts: readonly ExprIr[]): void {
  to.raw("{ ");
  for (const part of parts) {
    if (part.kind === "object") writeEntries(to, part);
    else {
      writeExpression(to, part);
      to.raw(", ");
    }
  }
  to.raw("}");
}

function writeObject(to: TextWriter, { entries }: ExprIr & { readonly kind: "object" }): void {
  to.raw("{ ");
  writeEntries(to, { entries });
  to.raw("}");
}

function writeEntries(
  to: TextWriter,
  { entries }: Pick<ExprIr & { readonly kind: "object" }, "entries">,
): void {
  for (const { key, value } of entries) {
    // TypeScript blames the key for its value.
    to.mapped(JSON.stringify(key), toSpan(value.span));
    to.raw(": ");
    writeExpression(to, value);
    to.raw(", ");
  }
}

/** A text with holes: its words are of no type, so only the holes are written. */
function writeTemplate(to: TextWriter, { parts }: ExprIr & { readonly kind: "template" }): void {
  to.raw("`");
  for (const part of parts) {
    if (typeof part === "string") continue;
    to.raw("${$shown(");
    to.for("shown", toSpan(part.span), () => writeExpression(to, part));
    to.raw(")}");
  }
  to.raw("`");
}

function endOf(span: SpanIr | undefined, name: string): Span | undefined {
  return span && { start: span[1] - name.length, end: span[1] };
}
