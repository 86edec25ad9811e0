/** Checks what is about to enter the state, or to be an argument, against the type that it is declared with. */
import {
  BUILT_IN_TYPES,
  type FieldIr,
  type Ir,
  isMessagesType,
  type ParamIr,
  printType,
  reducerFacts,
  type SpanIr,
  toJsonSchema,
} from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { Reducer } from "../../state/fold-writes.ts";
import { describeMisfit, type Misfit } from "../../state/json-schema.ts";
import { notJsonIn } from "../../state/not-json.ts";
import { ValueCheck } from "../../state/value-check.ts";
import type { Program, ProgramField } from "../program/program.ts";
import { ValueMisfit } from "./evaluation-errors.ts";

interface Wanted {
  /** The subject of the message, ``what `a` sets `n` to``; made only where something does not fit. */
  readonly what: () => string;
  readonly value: unknown;
  readonly span?: SpanIr | undefined;
}

/** Throws M5014 where what is written to a field is not what its reducer merges into a value of the field's type. */
export function assertWriteFits(
  program: Program,
  field: ProgramField,
  {
    reducer,
    isFirst,
    ...wanted
  }: Wanted & {
    readonly reducer: Reducer;
    /** Nothing is there yet that it could be merged into; asked only where the reducer merges. */
    readonly isFirst: () => boolean;
  },
): void {
  const { ir } = field;
  const check = fieldCheck(program, field);
  const found =
    notJsonIn(wanted.value) ??
    writeMisfit(check, wanted.value, { reducer, isFirst, isOptional: ir.optional });
  if (found !== undefined)
    throw misfitIn(wanted, `\`${field.implied?.name ?? ir.name}\``, ir, found);
}

/** Throws M5014 where what a field begins with does not fit it. */
export function assertBeginningFits(program: Program, field: ProgramField, wanted: Wanted): void {
  const found = notJsonIn(wanted.value) ?? fieldCheck(program, field).misfit(wanted.value);
  if (found !== undefined) throw misfitIn(wanted, `\`${field.ir.name}\``, field.ir, found);
}

/** Throws M5014 where an argument does not fit the parameter of a node or a graph. */
export function assertArgumentFits(
  { types }: Pick<Ir, "types">,
  param: ParamIr,
  wanted: Wanted,
): void {
  if (isLeftOut(wanted.value) && param.optional) return;
  const found = notJsonIn(wanted.value) ?? checkOf(param, types).misfit(wanted.value);
  if (found !== undefined) throw misfitIn(wanted, `\`${param.name}\``, param, found);
}

/** Returns whether a value fits a parameter. */
export function argumentFits(
  { types }: Pick<Ir, "types">,
  param: ParamIr,
  value: unknown,
): boolean {
  return (notJsonIn(value) ?? checkOf(param, types).misfit(value)) === undefined;
}

/** Returns the failure of a reducer in TypeScript whose result does not fit its field. */
export function resultMisfit(
  field: FieldIr,
  types: Ir["types"],
  { name, value }: { readonly name: string; readonly value: unknown },
): Failure | undefined {
  const found = checkOf(field, types).misfit(value);
  const what = () => `what the reducer \`${name}\` makes of \`${field.name}\``;
  return found && misfitIn({ what, value }, `\`${field.name}\``, field, found).failure;
}

/** The check of a field's values; made once for a field. */
export function fieldCheck(
  program: Pick<Program, "ir">,
  { ir, implied }: ProgramField,
): ValueCheck {
  return checkOf(ir, (implied?.graph ?? program.ir).types);
}

const checks = new WeakMap<FieldIr | ParamIr, ValueCheck>();

function checkOf(declared: FieldIr | ParamIr, types: Ir["types"]): ValueCheck {
  const known = checks.get(declared);
  if (known !== undefined) return known;
  const table = new Map(types.map(({ name, type }) => [name, type]));
  const builtIn = isMessagesType(declared.type, table) ? BUILT_IN_TYPES.get("Messages") : undefined;
  const made = new ValueCheck(toJsonSchema(builtIn ?? declared.type, table).schema);
  checks.set(declared, made);
  return made;
}

function writeMisfit(
  check: ValueCheck,
  value: unknown,
  of: { readonly reducer: Reducer; readonly isFirst: () => boolean; readonly isOptional: boolean },
): Misfit | undefined {
  if (of.isOptional && isLeftOut(value)) return undefined;
  const facts = reducerFacts(of.reducer.name);
  // Only the author of a reducer in TypeScript knows what it takes; its result is checked where it is called.
  if (facts === undefined) return undefined;
  switch (facts.on) {
    case "messages":
      // Read already, with removals among them.
      return undefined;
    case "list":
      return check.addedMisfit(value);
    case "object":
      return of.isFirst() ? check.misfit(value) : check.mergedMisfit(value);
    case "number":
    case "any":
      return check.misfit(value);
  }
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null;
}

function misfitIn(
  { what, span }: Wanted,
  name: string,
  { type }: FieldIr | ParamIr,
  misfit: Misfit,
): ValueMisfit {
  const declared = printType(type);
  return new ValueMisfit(
    {
      class: "invalid",
      code: "M5014",
      message: `${what()} does not fit: ${describeMisfit(misfit)}`,
      hint: `${name} is declared as \`${declared}\`: compute a value of that type, or declare another one`,
    },
    span,
  );
}
