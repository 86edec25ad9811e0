/** Prints expressions, durations and arguments. */
import type { ArgIr, EntryIr, ExprIr } from "../ir/ir.ts";

/**
 * The binding strength of each form; a part that binds less than its place asks for is put in
 * parentheses.
 */
const BINDING = {
  lambda: 0,
  conditional: 1,
  "??": 3,
  "||": 3,
  "&&": 4,
  "==": 5,
  "!=": 5,
  "<": 6,
  "<=": 6,
  ">": 6,
  ">=": 6,
  in: 6,
  "+": 7,
  "-": 7,
  "*": 8,
  "/": 8,
  "%": 8,
  unary: 9,
  postfix: 10,
} as const;

/** An expression as text that reads back as the same expression. */
export function printExpression(expr: ExprIr): string {
  switch (expr.kind) {
    case "literal":
      return typeof expr.value === "number" ? printNumber(expr.value) : JSON.stringify(expr.value);
    case "duration":
      return printDuration(expr.ms);
    case "money":
      return `$${printNumber(expr.usd)}`;
    case "name":
      return expr.name;
    case "member":
      return `${printPart(expr.object, BINDING.postfix)}${expr.optional ? "?." : "."}${expr.name}`;
    case "index":
      return `${printPart(expr.object, BINDING.postfix)}[${printExpression(expr.index)}]`;
    case "call":
      return `${printPart(expr.callee, BINDING.postfix)}${printArgs(expr.args)}`;
    case "unary":
      return `${expr.op}${printPart(expr.operand, BINDING.postfix)}`;
    case "binary":
      return printBinary(expr);
    case "conditional":
      return `${printPart(expr.test, BINDING["||"])} ? ${printExpression(expr.then)} : ${printExpression(expr.else)}`;
    case "lambda":
      return printLambda(expr);
    case "list":
      return `[${expr.items.map(printExpression).join(", ")}]`;
    case "spread":
      return `...${printExpression(expr.value)}`;
    case "range":
      return `${printExpression(expr.from)}..${printExpression(expr.to)}`;
    case "object":
      return printObject(expr);
    case "merge":
      return `{ ${expr.parts.map(printMergePart).join(", ")} }`;
    case "template":
      return `\`${expr.parts.map(printTemplatePart).join("")}\``;
  }
}

/** Arguments in their parentheses. */
export function printArgs(args: readonly ArgIr[]): string {
  const printed = args.map(({ label, value }) =>
    label === undefined ? printExpression(value) : `${label}: ${printExpression(value)}`,
  );
  return `(${printed.join(", ")})`;
}

/** Milliseconds in the largest unit that divides them. */
export function printDuration(ms: number): string {
  const units = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1000],
  ] as const;
  const unit = ms === 0 ? undefined : units.find(([, size]) => ms % size === 0);
  return unit === undefined ? `${printNumber(ms)}ms` : `${printNumber(ms / unit[1])}${unit[0]}`;
}

/** A number without an exponent, which the language does not read: the same digits, the point moved. */
export function printNumber(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const point = whole.length + Number(exponent);
  const digits = `${whole}${fraction}`;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, "0")}`;
}

/** A key of an object, quoted where it is no plain word. */
export function printKey(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : JSON.stringify(key);
}

function printPart(expr: ExprIr, binding: number): string {
  const text = printExpression(expr);
  return bindingOf(expr) < binding ? `(${text})` : text;
}

function bindingOf(expr: ExprIr): number {
  switch (expr.kind) {
    case "binary":
      return BINDING[expr.op];
    case "literal":
      return typeof expr.value === "number" && expr.value < 0 ? BINDING.unary : BINDING.postfix;
    case "lambda":
    case "conditional":
    case "unary":
      return BINDING[expr.kind];
    default:
      return BINDING.postfix;
  }
}

/** All operators take their left side first: `a - (b - c)` keeps its parentheses, `a - b - c` needs none. */
function printBinary({ op, left, right }: ExprIr & { kind: "binary" }): string {
  const side = (expr: ExprIr, binding: number) =>
    mixesDefaults(op, expr) ? `(${printExpression(expr)})` : printPart(expr, binding);
  return `${side(left, BINDING[op])} ${op} ${side(right, BINDING[op] + 1)}`;
}

/** `??` and `||` or `&&` stand side by side only in parentheses, as in TypeScript. */
function mixesDefaults(op: string, inner: ExprIr): boolean {
  if (inner.kind !== "binary") return false;
  const isLogical = (one: string) => one === "||" || one === "&&";
  return (op === "??" && isLogical(inner.op)) || (isLogical(op) && inner.op === "??");
}

function printLambda({ params, body }: ExprIr & { kind: "lambda" }): string {
  const [only] = params;
  const head = params.length === 1 && only !== undefined ? only : `(${params.join(", ")})`;
  return `${head} => ${printExpression(body)}`;
}

function printObject({ entries }: ExprIr & { kind: "object" }): string {
  if (entries.length === 0) return "{}";
  return `{ ${entries.map(printEntry).join(", ")} }`;
}

function printEntry({ key, value }: EntryIr): string {
  return `${printKey(key)}: ${printExpression(value)}`;
}

function printMergePart(part: ExprIr): string {
  return part.kind === "object" ? part.entries.map(printEntry).join(", ") : printExpression(part);
}

function printTemplatePart(part: string | ExprIr): string {
  if (typeof part !== "string") return `\${${printExpression(part)}}`;
  return part
    .replaceAll("\\", "\\\\")
    .replaceAll("`", "\\`")
    .replaceAll("${", "\\${")
    .replaceAll("\r", "\\r");
}
