/** Checks defaults, written values and reducers of fields. */
import type { Finding } from "../../diagnostics/diagnostic.ts";
import type { TypeIr } from "../../ir/ir.ts";
import { isMessagesType, printType, resolveType } from "../../ir/types.ts";
import { lowerType } from "../../lower/lower-type.ts";
import { nearest } from "../../names/nearest.ts";
import { isOffered, type Scope } from "../../names/scope.ts";
import type { FileSymbols } from "../../names/symbol-tables.ts";
import type { AssignAst, ExprAst, Name, TypeAst, ViaAst } from "../../syntax/tree/ast.ts";
import { BUILT_IN_REDUCERS, reducerFacts } from "../../vocabulary/reducers.ts";
import { checkExpression, checkLambda } from "../expressions/check-expression.ts";
import { cannotFit } from "../expressions/fits.ts";
import { elementOf } from "../expressions/member-type.ts";
import { checkWrittenName, hintAtScope } from "../expressions/single-names.ts";
import { type Report, reportUnknown } from "../report.ts";

/** A default: an expression that can stand where the type is wanted. */
export function checkDefault(
  value: ExprAst | undefined,
  type: TypeAst,
  scope: Scope,
  report: Report,
): void {
  if (value === undefined) return;
  const given = checkExpression(value, scope, report);
  const wanted = lowerType(type);
  if (given === undefined || !cannotFit(given, wanted, scope.symbols.file.types)) return;
  report({
    code: "M3103",
    message: `the default is \`${printType(given)}\`, but the type is \`${printType(wanted)}\``,
    span: value.span,
    hint: "give a default of that type, or change the type",
  });
}

/** `set f = e via r`: the field exists, and the value fits it or its reducer. */
export function checkAssign(assign: AssignAst, scope: Scope, report: Report): void {
  const { field, value, via } = assign;
  const given = checkExpression(value, scope, report);
  if (!checkWrittenName(field, scope, report, { given })) return;
  if (via !== undefined) checkViaOfSet(via, field.text, scope, report);
  checkWrittenValue({ field: field.text, value, given, via }, scope, report);
}

/** A `set` names a built-in reducer alone: what needs TypeScript or a function is for `writes`. */
function checkViaOfSet(via: ViaAst, field: string, scope: Scope, report: Report): void {
  const decl = scope.symbols.fields.get(field)?.decl;
  const isBuiltIn = BUILT_IN_REDUCERS.some((known) => known === via.name.text);
  const unknown = isBuiltIn ? undefined : unknownReducer(via.name, scope.symbols.file);
  if (unknown !== undefined && unknown.severity === undefined) report(unknown);
  else if (!isBuiltIn || via.args.length > 0)
    report({
      code: "M3305",
      message: `\`set\` can't merge \`via ${via.name.text}\` with ${isBuiltIn ? "arguments" : "a function of TypeScript"}`,
      span: via.span,
      hint: `give the reducer to the field, or name one of ${BUILT_IN_REDUCERS.map((name) => `\`${name}\``).join(", ")} alone`,
    });
  else if (decl !== undefined) checkVia(via, lowerType(decl.type), scope, report);
}

interface WrittenValue {
  readonly field: string;
  readonly value: ExprAst;
  readonly given: TypeIr | undefined;
  readonly via?: ViaAst | undefined;
}

/** A value on its way into a field: of the field's type, or one item for a list that grows, or a part for `merge`. */
export function checkWrittenValue(written: WrittenValue, scope: Scope, report: Report): void {
  const { types } = scope.symbols.file;
  const decl = scope.symbols.fields.get(written.field)?.decl;
  if (decl === undefined || written.given === undefined) return;
  const type = lowerType(decl.type);
  const reducer = (written.via ?? decl.via)?.name.text;
  const on = reducerFacts(reducer ?? "replace")?.on;
  const item = on === "list" ? elementOf(resolveType(type, types)) : undefined;
  const accepted = [type, ...(item === undefined ? [] : [item])];
  // The type of the field alone does not decide which values can be merged into an object or a number, or by TypeScript.
  const isOpen = on !== "any" && on !== "list";
  if (isOpen || accepted.some((each) => !cannotFit(written.given, each, types))) return;
  report({
    code: "M3104",
    message: `\`${printType(written.given)}\` does not fit \`${written.field}: ${printType(type)}\``,
    span: written.value.span,
    hint: "write a value of that type, or change the type of the field",
    related: [{ span: decl.span, message: "the field" }],
  });
}

/** A reducer: known, and able to merge values of this type. */
export function checkVia(
  via: ViaAst | undefined,
  type: TypeIr,
  scope: Scope,
  report: Report,
): void {
  if (via === undefined) return;
  const shape = resolveType(type, scope.symbols.file.types);
  checkReducerArgs(via, type, shape, scope, report);
  const isTalk = isMessagesType(type, scope.symbols.file.types);
  if (isTalk && !["messages", "replace"].includes(via.name.text)) {
    report({
      code: "M3720",
      message: `\`via ${via.name.text}\` can't merge \`Messages\`, which have a reducer of their own`,
      span: via.span,
      hint: "leave `via` out: messages are added, one with a known `id` replaces that one, and `{ remove: ID }` removes it",
    });
    return;
  }
  if (reducerFacts(via.name.text) === undefined) {
    const unknown = unknownReducer(via.name, scope.symbols.file);
    if (unknown !== undefined) report(unknown);
    return;
  }
  const wanted = isTalk ? undefined : wantedBy(via, shape);
  if (wanted === undefined) return;
  report({
    code: "M3302",
    message: `\`via ${via.name.text}\` needs ${wanted}, but the type is \`${printType(type)}\``,
    span: via.span,
  });
}

function checkReducerArgs(
  via: ViaAst,
  type: TypeIr,
  shape: TypeIr | undefined,
  scope: Scope,
  report: Report,
): void {
  const item = reducerFacts(via.name.text)?.on === "list" ? elementOf(shape) : type;
  for (const { label, value } of via.args) {
    if (label !== undefined) reportLabel(label, via.name.text, report);
    if (value.kind === "lambda") checkLambda(value, [item], scope, report);
    else checkExpression(value, scope, report);
  }
}

/** A reducer is called with the values in their order: what it calls them is nowhere declared. */
function reportLabel({ text, span }: Name, reducer: string, report: Report): void {
  reportUnknown(report, {
    code: "M2203",
    what: `parameter of \`${reducer}\``,
    word: text,
    span,
    candidates: [],
    otherwise: "write the value alone",
  });
}

/** The finding for a reducer that is not built in, if it is surely not one of TypeScript's either. */
export function unknownReducer({ text, span }: Name, file: FileSymbols): Finding | undefined {
  if (file.imports.has(text) || isOffered(file.scope, text)) return undefined;
  const near = nearest(text, [...BUILT_IN_REDUCERS, ...file.imports.keys(), ...(file.scope ?? [])]);
  const unknown = { code: "M3303", message: `no reducer is called \`${text}\``, span } as const;
  if (near === undefined && file.isScopeOpen)
    return file.scope && { ...unknown, severity: "warning", hint: hintAtScope(near) };
  return {
    ...unknown,
    hint:
      near === undefined
        ? `there are ${BUILT_IN_REDUCERS.map((name) => `\`${name}\``).join(", ")}`
        : `did you mean \`${near}\`?`,
  };
}

/**
 * Returns the kind of value that the reducer needs (`a list`), if the type is surely another one;
 * undefined otherwise.
 */
function wantedBy(via: ViaAst, shape: TypeIr | undefined): string | undefined {
  if (shape === undefined || isAnything(shape)) return undefined;
  const { on = "any", takesMeasure = false } = reducerFacts(via.name.text) ?? {};
  switch (on) {
    case "any":
      return undefined;
    case "list":
      return shape.kind === "array" ? undefined : "a list";
    case "messages":
      return "the type `Messages`";
    case "object":
      return shape.kind === "object" || isNamed(shape, ["Record"]) ? undefined : "an object";
    case "number": {
      const isMeasured = takesMeasure && via.args.length > 0;
      if (isMeasured || isNumber(shape)) return undefined;
      return takesMeasure ? "a number, or a function that gives one" : "a number";
    }
  }
}

function isNumber(shape: TypeIr): boolean {
  return (
    isNamed(shape, ["number", "int"]) ||
    (shape.kind === "literal" && typeof shape.value === "number")
  );
}

function isAnything(shape: TypeIr): boolean {
  return isNamed(shape, ["Json", "unknown", "any"]) || shape.kind === "union";
}

function isNamed(shape: TypeIr, names: readonly string[]): boolean {
  return shape.kind === "named" && names.includes(shape.name);
}
