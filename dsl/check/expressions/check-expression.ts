/** Checks the names, members and calls in an expression, and derives its type. */
import type { Span } from "../../diagnostics/source.ts";
import type { TypeIr } from "../../ir/ir.ts";
import { BOOLEAN, INT, NUMBER, resolveType, STRING } from "../../ir/types.ts";
import { isNodeCount } from "../../lower/lower-expression.ts";
import { nearest } from "../../names/nearest.ts";
import { meaningOf, namesInScope, type Scope, withVariable } from "../../names/scope.ts";
import type { ArgAst, ExprAst, StringLiteral } from "../../syntax/tree/ast.ts";
import { BUILT_IN_FUNCTIONS } from "../../vocabulary/built-in-functions.ts";
import { foreignFunctions } from "../../vocabulary/foreign-functions.ts";
import { callbackMethods } from "../../vocabulary/methods.ts";
import {
  conversions,
  isConversion,
  type PureFunctions,
  pureFunctions,
} from "../../vocabulary/pure-functions.ts";
import { type Report, reportUnknown } from "../report.ts";
import { either, listOf, mergedType, sumOf } from "./joined-types.ts";
import { literalTypes } from "./literal-types.ts";
import { elementOf, memberOf, methodsOf, resultOf } from "./member-type.ts";
import { reportMissing, reportMissingFunction } from "./report-missing.ts";
import { reportSpread } from "./report-spread.ts";
import { checkScopeMember } from "./scope-members.ts";
import { reportShadowing } from "./shadowing.ts";
import { reportNotOffered } from "./single-names.ts";
import { hintForUnknown } from "./unknown-names.ts";

/** Checks every name in an expression, and gives its type where the declarations decide it. */
export function checkExpression(expr: ExprAst, scope: Scope, report: Report): TypeIr | undefined {
  const check = (inner: ExprAst) => checkExpression(inner, scope, report);
  switch (expr.kind) {
    case "string":
      reportUnfilledHole(expr, report);
      return { kind: "literal", value: expr.value };
    case "number":
    case "boolean":
      return { kind: "literal", value: expr.value };
    case "null":
      return { kind: "literal", value: null };
    case "duration":
    case "money":
      return NUMBER;
    case "name":
      return checkName(expr, scope, report);
    case "member":
      return checkMember(expr, scope, report);
    case "index": {
      check(expr.index);
      return indexed(check(expr.object), scope);
    }
    case "call":
      return checkCall(expr, scope, report);
    case "unary":
      check(expr.operand);
      return expr.op === "!" ? BOOLEAN : NUMBER;
    case "binary":
      return checkBinary(expr, scope, report);
    case "conditional":
      check(expr.test);
      return either(check(expr.then), check(expr.else));
    case "lambda":
      checkLambda(expr, [], scope, report);
      return undefined;
    case "list":
      return listOf(expr.items.map((item) => itemType(item, scope, report)));
    case "spread":
      return check(expr.value);
    case "range":
      for (const end of [expr.from, expr.to]) check(end);
      return LIST_OF_NUMBERS;
    case "merge":
      return mergedType(
        expr.parts.map((part) => {
          const type = check(part);
          if (part.kind === "spread")
            reportSpread(part, { type, wanted: "an object" }, scope, report);
          return type;
        }),
        scope,
      );
    case "object":
      return checkObject(expr, scope, report);
    case "template":
      for (const part of expr.parts) if (typeof part !== "string") check(part);
      return STRING;
  }
}

/** Checks a lambda whose parameters have these types, and gives the type of its body. */
export function checkLambda(
  lambda: ExprAst & { kind: "lambda" },
  types: readonly (TypeIr | undefined)[],
  scope: Scope,
  report: Report,
): TypeIr | undefined {
  for (const param of lambda.params) reportShadowing(param, scope, report);
  const inner = lambda.params.reduce(
    (outer, param, index) => withVariable(outer, param.text, types[index]),
    scope,
  );
  return checkExpression(lambda.body, inner, report);
}

function reportUnfilledHole({ value, span }: StringLiteral, report: Report): void {
  if (!/\$\{[^}]+\}/.test(value)) return;
  const isShort = value.length <= 40 && !/[`\n]/.test(value);
  report({
    code: "M2302",
    severity: "warning",
    message: "holes are only filled in backticks",
    span,
    hint: `write backticks instead of the quotes${isShort ? `: \`${value}\`` : ""}`,
  });
}

type NameExpr = ExprAst & { readonly kind: "name" };

function checkName(expr: NameExpr, scope: Scope, report: Report): TypeIr | undefined {
  const meaning = meaningOf(scope, expr.text);
  if (pureFunctionsOf(expr, scope) !== undefined)
    reportNotCallable(`\`${expr.text}\` is a group of functions, and no value`, expr.span, report);
  if (conversionOf(expr, scope) !== undefined)
    report({
      code: "M2114",
      message: `\`${expr.text}\` is a function, and is not called`,
      span: expr.span,
      hint: `write \`${expr.text}(…)\`; for each item \`map(item => ${expr.text}(item))\``,
    });
  if (isNodeCount(expr, scope)) reportNoNode(expr.text, expr.span, report);
  if (meaning?.of === "special" && expr.text === "call" && scope.isConsent !== true)
    report({
      code: "M2113",
      message: "`call` can only be read in an approval",
      span: expr.span,
      hint: "it is the call that `approve tool NAME when …` decides on",
    });
  if (meaning === undefined)
    reportUnknown(report, {
      code: "M2103",
      what: "field or parameter",
      word: expr.text,
      span: expr.span,
      get candidates() {
        return namesInScope(scope);
      },
      get otherwise() {
        return hintForUnknown(expr.text, scope);
      },
    });
  return meaning?.type;
}

function checkMember(
  expr: ExprAst & { readonly kind: "member" },
  scope: Scope,
  report: Report,
): TypeIr | undefined {
  const functions = pureFunctionsOf(expr.object, scope);
  if (functions !== undefined) {
    const group = nameOf(expr.object);
    reportMissingFunction(expr.name, { group, functions, isCalled: false }, report);
    return undefined;
  }
  const object = checkExpression(expr.object, scope, report);
  checkScopeMember(expr, "member", scope, report);
  const member = memberOf(object, expr.name.text, scope.symbols.file.types);
  if (member.kind === "type") return member.type;
  if (object !== undefined)
    reportMissing(expr.name, object, { what: "member", candidates: member.candidates }, report);
  return undefined;
}

function indexed(object: TypeIr | undefined, scope: Scope): TypeIr | undefined {
  const shape = object && resolveType(object, scope.symbols.file.types);
  if (shape?.kind === "named" && shape.name === "Record") return shape.args[1];
  return elementOf(shape);
}

function checkCall(
  expr: ExprAst & { readonly kind: "call" },
  scope: Scope,
  report: Report,
): TypeIr | undefined {
  const { callee, args } = expr;
  if (isNodeCount(callee, scope)) return checkNodeCount(expr, scope, report);
  if (callee.kind === "member") return checkMethod(callee, args, scope, report);
  if (callee.kind === "name") {
    const conversion = conversionOf(callee, scope);
    if (conversion === undefined) checkFunctionName(callee, scope, report);
    else {
      checkArgs(args, scope, report);
      return resultOf(conversions[conversion], NUMBER, undefined);
    }
  } else {
    checkExpression(callee, scope, report);
    reportNotCallable("this is no function", callee.span, report);
  }
  checkArgs(args, scope, report);
  return undefined;
}

/** `String` or `Number`, where nothing nearer has that name. */
function conversionOf({ text }: NameExpr, scope: Scope): keyof typeof conversions | undefined {
  return isConversion(text) && meaningOf(scope, text)?.of === "special" ? text : undefined;
}

/** `visits(review)`: what it counts is a node, by its name. */
function checkNodeCount(
  { callee, args, span }: ExprAst & { readonly kind: "call" },
  { symbols }: Scope,
  report: Report,
): TypeIr {
  const [only, ...more] = args;
  if (only?.value.kind !== "name" || only.label !== undefined || more.length > 0)
    reportNoNode(nameOf(callee), span, report);
  else if (!symbols.nodes.has(only.value.text))
    reportUnknown(report, {
      code: "M2101",
      what: "node",
      word: only.value.text,
      span: only.value.span,
      candidates: [...symbols.nodes.keys()],
    });
  return INT;
}

function reportNoNode(count: string, span: Span, report: Report): void {
  report({
    code: "M3604",
    message: `\`${count}\` counts one node`,
    span,
    hint: `write its name alone: \`${count}(review) == 2\``,
  });
}

/** A function that nobody declares may be TypeScript's: it is only wrong if we know what TypeScript offers. */
function checkFunctionName(callee: NameExpr, scope: Scope, report: Report): void {
  const { file } = scope.symbols;
  const meaning = meaningOf(scope, callee.text);
  if (meaning !== undefined) {
    if (meaning.of !== "scope")
      reportNotCallable(`\`${callee.text}\` is no function`, callee.span, report);
    return;
  }
  const { text: word, span } = callee;
  if (BUILT_IN_FUNCTIONS.has(word)) return;
  const instead = foreignFunctions.get(word);
  if (instead !== undefined) {
    report({ code: "M2106", message: `expressions have no \`${word}\``, span, hint: instead });
    return;
  }
  const candidates = [...file.imports.keys(), ...(file.scope ?? [])];
  reportNotOffered({ code: "M2106", what: "function", word, span, candidates }, file, report);
}

function reportNotCallable(message: string, span: Span, report: Report): void {
  const hint = "an expression calls functions of TypeScript and methods such as `filter`";
  report({ code: "M2114", message, span, hint });
}

function checkArgs(args: readonly ArgAst[], scope: Scope, report: Report): void {
  for (const arg of args) checkExpression(arg.value, scope, report);
}

function checkMethod(
  callee: ExprAst & { readonly kind: "member" },
  args: readonly ArgAst[],
  scope: Scope,
  report: Report,
): TypeIr | undefined {
  const functions = pureFunctionsOf(callee.object, scope);
  if (functions !== undefined) {
    checkArgs(args, scope, report);
    const group = nameOf(callee.object);
    reportMissingFunction(callee.name, { group, functions, isCalled: true }, report);
    const given = functions[callee.name.text];
    return given === undefined ? undefined : resultOf(given, NUMBER, undefined);
  }
  const object = checkExpression(callee.object, scope, report);
  checkScopeMember(callee, "function", scope, report);
  const shape = object && resolveType(object, scope.symbols.file.types);
  const methods = methodsOf(shape);
  const name = callee.name.text;
  if (shape === undefined || object === undefined || methods === undefined) {
    checkArgs(args, scope, report);
    return undefined;
  }
  const result = Object.hasOwn(methods, name) ? methods[name] : undefined;
  const item = callbackMethods.includes(name) ? elementOf(shape) : undefined;
  const callback = checkCallback(args, { item, isFold: name === "reduce" }, scope, report);
  if (result !== undefined) return resultOf(result, shape, callback);
  reportMissing(callee.name, object, { what: "method", candidates: Object.keys(methods) }, report);
  return undefined;
}

/** The functions of `Math` or `Object`, where a name means that and nothing nearer. */
function pureFunctionsOf(expr: ExprAst, scope: Scope): PureFunctions | undefined {
  if (expr.kind !== "name" || meaningOf(scope, expr.text)?.of !== "special") return undefined;
  return pureFunctions.get(expr.text);
}

function nameOf(expr: ExprAst): string {
  return expr.kind === "name" ? expr.text : "";
}

function checkCallback(
  args: readonly ArgAst[],
  { item, isFold }: { readonly item: TypeIr | undefined; readonly isFold: boolean },
  scope: Scope,
  report: Report,
): TypeIr | undefined {
  const [first, ...rest] = args;
  if (first?.value.kind !== "lambda") {
    checkArgs(args, scope, report);
    return undefined;
  }
  checkArgs(rest, scope, report);
  // Only `sort` gives two items; elsewhere the second parameter is the index, and no member of it is used.
  const types = isFold ? [undefined, item] : [item, undefined];
  return checkLambda(first.value, types, scope, report);
}

function checkBinary(
  expr: ExprAst & { readonly kind: "binary" },
  scope: Scope,
  report: Report,
): TypeIr | undefined {
  const left = checkExpression(expr.left, scope, report);
  const right = checkExpression(expr.right, scope, report);
  switch (expr.op) {
    case "==":
    case "!=":
      reportNeverEqual(expr.right, left, scope, report);
      reportNeverEqual(expr.left, right, scope, report);
      return BOOLEAN;
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "in":
      return BOOLEAN;
    case "&&":
    case "||":
    case "??":
      return either(left, right);
    case "+":
      return sumOf(left, right, scope);
    default:
      return NUMBER;
  }
}

/** A text compared with a choice of texts that lacks it. */
function reportNeverEqual(
  literal: ExprAst,
  other: TypeIr | undefined,
  scope: Scope,
  report: Report,
): void {
  const values = other && literalTypes(other, scope.symbols.file.types);
  if (literal.kind !== "string" || values === undefined || values.length < 2) return;
  if (values.some((value) => value === literal.value)) return;
  const near = nearest(
    literal.value,
    values.filter((value) => typeof value === "string"),
  );
  report({
    code: "M3210",
    message: `"${literal.value}" is not one of the possible values`,
    span: literal.span,
    hint:
      near === undefined
        ? `the possible values are ${values.map((value) => JSON.stringify(value)).join(", ")}`
        : `did you mean "${near}"?`,
  });
}

const LIST_OF_NUMBERS: TypeIr = { kind: "array", of: NUMBER };

/** The type of what an item of a list adds to it: a spread and a range add several. */
function itemType(item: ExprAst, scope: Scope, report: Report): TypeIr | undefined {
  const type = checkExpression(item, scope, report);
  if (item.kind !== "spread" && item.kind !== "range") return type;
  if (item.kind === "spread") reportSpread(item, { type, wanted: "a list" }, scope, report);
  return elementOf(type && resolveType(type, scope.symbols.file.types));
}

function checkObject(
  expr: ExprAst & { readonly kind: "object" },
  scope: Scope,
  report: Report,
): TypeIr | undefined {
  const members = expr.entries.map(({ key, value }) => ({
    name: key.text,
    optional: false,
    type: checkExpression(value ?? { kind: "name", ...key }, scope, report),
  }));
  const known = members.flatMap(({ type, ...member }) =>
    type === undefined ? [] : [{ ...member, type }],
  );
  return known.length < members.length ? undefined : { kind: "object", members: known };
}
