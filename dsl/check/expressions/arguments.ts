/** Checks the arguments of a call against the parameters of what is called. */
import type { Span } from "../../diagnostics/source.ts";
import { isMessagesType, printType } from "../../ir/types.ts";
import { lowerType } from "../../lower/lower-type.ts";
import type { Scope } from "../../names/scope.ts";
import type { ArgAst, Param } from "../../syntax/tree/ast.ts";
import { type Report, reportUnknown } from "../report.ts";
import { checkExpression } from "./check-expression.ts";
import { cannotFit } from "./fits.ts";

/** Something that takes arguments, and where it is named. */
export interface Callee {
  readonly name: string;
  readonly params: readonly Param[];
  readonly span: Span;
  /** True where others give the arguments that are not written. */
  readonly mayLack?: boolean;
}

/** Checks arguments against parameters: names, number, and types where they are known. */
export function checkArguments(
  callee: Callee,
  args: readonly ArgAst[],
  scope: Scope,
  report: Report,
): void {
  const given = new Set<string>();
  for (const [index, arg] of args.entries()) {
    const param = paramFor(callee, arg, index);
    if (param !== undefined) given.add(param.name.text);
    else if (arg.label === undefined) reportExtra(callee, arg, report);
    else reportLabel(callee, arg.label, report);
    checkArgument(arg, param, scope, report);
  }
  const missing = callee.params.filter(
    (param) => !given.has(param.name.text) && !param.optional && param.value === undefined,
  );
  // An argument under a wrong name is the one that is missing.
  const isMisnamed = args.some((arg, index) => paramFor(callee, arg, index) === undefined);
  if (missing.length > 0 && !isMisnamed && callee.mayLack !== true)
    reportMissing(callee, missing, report);
}

function paramFor({ params }: Callee, arg: ArgAst, index: number): Param | undefined {
  if (arg.label === undefined) return params[index];
  return params.find((param) => param.name.text === arg.label?.text);
}

function checkArgument(arg: ArgAst, param: Param | undefined, scope: Scope, report: Report): void {
  const type = checkExpression(arg.value, scope, report);
  if (param === undefined || type === undefined) return;
  const wanted = lowerType(param.type);
  const { types } = scope.symbols.file;
  // Messages are read in many forms when the graph begins.
  if (isMessagesType(wanted, types) || !cannotFit(type, wanted, types)) return;
  report({
    code: "M3104",
    message: `\`${printType(type)}\` does not fit \`${param.name.text}: ${printType(wanted)}\``,
    span: arg.value.span,
    hint: "pass a value of that type",
    // A built-in graph has no text to point to.
    ...(param.span.end === 0 ? {} : { related: [{ span: param.span, message: "the parameter" }] }),
  });
}

function reportExtra(callee: Callee, arg: ArgAst, report: Report): void {
  const count = callee.params.length;
  const takes = count === 0 ? "no arguments" : count === 1 ? "one argument" : `${count} arguments`;
  report({
    code: "M2202",
    message: `\`${callee.name}\` takes ${takes}`,
    span: arg.value.span,
    hint:
      count === 0
        ? `declare a parameter: \`${callee.name}(name: Type)\``
        : `it is \`${signature(callee)}\``,
  });
}

function reportLabel(callee: Callee, label: { text: string; span: Span }, report: Report): void {
  reportUnknown(report, {
    code: "M2203",
    what: `parameter of \`${callee.name}\``,
    word: label.text,
    span: label.span,
    candidates: callee.params.map((param) => param.name.text),
  });
}

function reportMissing(callee: Callee, missing: readonly Param[], report: Report): void {
  const needed = callee.params.filter((param) => !param.optional && param.value === undefined);
  const example = needed.map((param) => param.name.text).join(", ");
  report({
    code: "M2201",
    message: `\`${callee.name}\` needs ${missing.map((param) => `\`${param.name.text}\``).join(", ")}`,
    span: callee.span,
    hint: `write \`${callee.name}(${example})\`: it is \`${signature(callee)}\``,
  });
}

function signature({ name, params }: Callee): string {
  const printed = params.map(
    (param) =>
      `${param.name.text}${param.optional ? "?" : ""}: ${printType(lowerType(param.type))}`,
  );
  return `${name}(${printed.join(", ")})`;
}
