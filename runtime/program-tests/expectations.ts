/** Compares the result and the path of a run with what a test expects. */
import type { ExpectIr, ExprIr, TestIr } from "../../dsl/index.ts";
import { alignedByKey, type Pair } from "../compare/align.ts";
import { evaluate, holds, type Lookup } from "../scheduler/expressions/evaluate.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import { isPartOf, type SentMessage } from "./sent-messages.ts";
import type { TestFault } from "./test-result.ts";

/** The end of a run as expectations see it. */
export interface Ending {
  /** Nodes in the order of their commits, and `end` where the run got there. */
  readonly path: readonly string[];
  readonly lookup: Lookup;
  /** The messages that nodes were sent. */
  readonly sent: readonly SentMessage[];
}

/** Returns the fault of one expectation; `undefined` if it is met. */
export function unmet(expect: ExpectIr, test: TestIr, ending: Ending): TestFault | undefined {
  switch (expect.kind) {
    case "path":
      return unmetPath(expect, ending);
    case "told":
      return unmetMessage(expect, test.source.text, ending);
    case "holds":
      return unmetCondition(expect, test.source.text, ending);
  }
}

function unmetMessage(
  { node, as, payload, span }: ExpectIr & { readonly kind: "told" },
  text: string,
  { sent, lookup }: Ending,
): TestFault | undefined {
  const evaluated = attempted(() => payload && evaluate(payload, lookup));
  if ("reason" in evaluated) return unevaluated({ code: "M5701", span }, evaluated.reason);
  const wanted = evaluated.value;
  const found = sent.filter(({ to }) => to === node);
  if (found.some(({ kind, payload: given }) => kind === as && isPartOf(wanted, given)))
    return undefined;
  const lines = found.map(
    ({ kind, payload: given, sender }) =>
      `${node} was told ${kind} ${valueText(given)} by ${sender}`,
  );
  const message = payload === undefined ? as : `${as} ${expressionText(payload, text)}`;
  return {
    code: "M5701",
    message: `\`${node}\` was not told \`${message}\``,
    span,
    detail: lines.length === 0 ? `${node} was told nothing` : lines.join("\n"),
    expected: { kind: as, ...(payload === undefined ? {} : { payload: wanted }) },
    actual: found.map(({ kind, payload: given }) => ({ kind, payload: given })),
  };
}

function unmetPath(
  { nodes, span }: ExpectIr & { readonly kind: "path" },
  { path }: Ending,
): TestFault | undefined {
  const expected = nodes.filter((node) => node !== "start");
  // Whether the run came to its end is asked only where the path says so.
  const actual = expected.at(-1) === "end" ? path : path.filter((node) => node !== "end");
  if (expected.join(" ") === actual.join(" ")) return undefined;
  return {
    code: "M5702",
    message: "the run took another path",
    span,
    detail: alignedPaths(expected, actual),
    expected,
    actual,
  };
}

function unmetCondition(
  { condition, span }: ExpectIr & { readonly kind: "holds" },
  text: string,
  { lookup }: Ending,
): TestFault | undefined {
  const expected = expressionText(condition, text);
  const fault = { code: "M5701", span, expected } as const;
  const held = attempted(() => holds(condition, lookup));
  if ("reason" in held) return unevaluated(fault, held.reason);
  if (held.value) return undefined;
  const operands = [
    ...new Map(operandsOf(condition).map((one) => [expressionText(one, text), one])),
  ];
  // A part without a value was not evaluated: `xs[0].a` behind `xs.length == 1 &&`.
  const values = operands.flatMap(([name, one]) => {
    const found = attempted(() => evaluate(one, lookup));
    return "reason" in found ? [] : [{ name, value: found.value }];
  });
  return {
    ...fault,
    message: `\`${expected}\` does not hold`,
    detail: values.map(({ name, value }) => `${name} is ${valueText(value)}`).join("\n"),
    actual: Object.fromEntries(values.map(({ name, value }) => [name, value ?? null])),
  };
}

/** The value of an evaluation, or the reason why there is none. */
function attempted<T>(run: () => T): { readonly value: T } | { readonly reason: string } {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { reason: error.message };
  }
}

function unevaluated(
  fault: Pick<TestFault, "code" | "span" | "expected">,
  reason: string,
): TestFault {
  return { ...fault, message: `this can't be evaluated: ${reason}`, actual: reason };
}

/** The parts of a condition whose values say why it does not hold: names, members, calls, not what stands in the text. */
function operandsOf(expression: ExprIr): readonly ExprIr[] {
  switch (expression.kind) {
    case "name":
    case "member":
    case "index":
    case "call":
      return [expression];
    case "unary":
      return operandsOf(expression.operand);
    case "binary":
      return [expression.left, expression.right].flatMap(operandsOf);
    case "conditional":
      return [expression.test, expression.then, expression.else].flatMap(operandsOf);
    case "list":
      return expression.items.flatMap(operandsOf);
    case "spread":
      return operandsOf(expression.value);
    case "range":
      return [expression.from, expression.to].flatMap(operandsOf);
    case "merge":
      return expression.parts.flatMap(operandsOf);
    case "object":
      return expression.entries.flatMap(({ value }) => operandsOf(value));
    case "template":
      return expression.parts.flatMap((part) => (typeof part === "string" ? [] : operandsOf(part)));
    case "literal":
    case "duration":
    case "money":
    case "lambda":
      return [];
  }
}

function expressionText({ span }: ExprIr, text: string): string {
  return span === undefined ? "it" : text.slice(...span).replaceAll(/\s+/g, " ");
}

const SHOWN_MAX = 500;

function valueText(value: unknown): string {
  if (value === undefined) return "not written yet";
  const text = JSON.stringify(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

/** Three lines: the expected path, the actual one, and marks below what differs. */
export function alignedPaths(expected: readonly string[], actual: readonly string[]): string {
  const pairs = columnsOf(expected, actual);
  const widths = pairs.map((pair) => Math.max(1, ...pair.map((name) => (name ?? "").length)));
  const line = (side: 0 | 1) =>
    pairs.map((pair, at) => (pair[side] ?? GAP).padEnd(widths[at] ?? 0)).join(" -> ");
  const marks = pairs
    .map(([left, right], at) => (left === right ? " " : "^").repeat(widths[at] ?? 0))
    .join("    ");
  return [`expected  ${line(0)}`, `actual    ${line(1)}`, `          ${marks}`]
    .map((text) => text.trimEnd())
    .join("\n");
}

const GAP = "·";

/** One pair a column; between two nodes that both paths have, one node stands in place of another one. */
function columnsOf(
  expected: readonly string[],
  actual: readonly string[],
): readonly Pair<string>[] {
  const of = { keyOf: (name: string) => name, comparisonsMax: Number.POSITIVE_INFINITY };
  const columns: Pair<string>[] = [];
  let [left, right]: [string[], string[]] = [[], []];
  const close = () => {
    const length = Math.max(left.length, right.length);
    for (let at = 0; at < length; at += 1) columns.push([left[at], right[at]]);
    [left, right] = [[], []];
  };
  for (const [a, b] of alignedByKey(expected, actual, of) ?? []) {
    if (a !== undefined && b !== undefined) {
      close();
      columns.push([a, b]);
    } else if (a !== undefined) left.push(a);
    else if (b !== undefined) right.push(b);
  }
  close();
  return columns;
}
