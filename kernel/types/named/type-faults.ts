/** Reports names that a program uses as types and that TypeScript knows as something else or as too large. */

import { type Diagnostic, positionAt, type Source, sortDiagnostics } from "../../../dsl/index.ts";
import type { ResolvedType, TypeFault } from "../service.ts";
import type { ProgramNames } from "./program-names.ts";
import { PARTS_MAX } from "./to-type.ts";

const GENERIC_AS_TYPE = 2314;
/** The compiler's number for a namespace that is used as a type. */
export const NAMESPACE_AS_TYPE = 2709;
/** The compiler's number for a value that is used as a type. */
export const VALUE_AS_TYPE = 2749;

/**
 * Returns the fault that a compiler's number means about a name used as a type; undefined for other
 * numbers.
 */
export function faultOf(number: number, name: string): TypeFault | undefined {
  switch (number) {
    case GENERIC_AS_TYPE:
      return {
        code: "M3402",
        message: `\`${name}\` is generic: it has no shape before its own types are given`,
        hint: `give it a name in TypeScript: \`type Task${name} = ${name}<Task>\``,
      };
    case NAMESPACE_AS_TYPE:
      return {
        code: "M3511",
        message: `\`${name}\` is a namespace, and no type`,
        hint: `give the type in it a name in TypeScript: \`type Task = ${name}.Task\``,
      };
    case VALUE_AS_TYPE:
      return {
        code: "M3511",
        message: `\`${name}\` is a value, and no type`,
        hint: `give its type a name in TypeScript: \`type Its = typeof ${name}\``,
      };
    default:
      return undefined;
  }
}

/** A type that is left as it is: see `PARTS_MAX`. */
export function tooLargeFault(name: string): TypeFault {
  return {
    code: "M3515",
    severity: "warning",
    message: `\`${name}\` has more than ${PARTS_MAX} parts when it is spelled out, so it has no schema: ${NO_SCHEMA}`,
    hint: `name a type of what the graph needs of it: \`type Needed = Pick<${name}, "title">\``,
  };
}

const NO_SCHEMA = "no model or person can be asked for it, and input of it is not checked";

/** Each such name where the program has it first. */
export function typeFaults(
  { source, names }: { readonly source: Source; readonly names: ProgramNames },
  types: readonly ResolvedType[],
): readonly Diagnostic[] {
  const found = types.flatMap(({ name, fault }): readonly Diagnostic[] => {
    if (fault === undefined) return [];
    const span = names.types.get(name) ?? { start: 0, end: 0 };
    const { line, column } = positionAt(source, span.start);
    const end = positionAt(source, span.end);
    const place = { line, column, endLine: end.line, endColumn: end.column };
    return [{ severity: "error", ...fault, file: source.file, ...place }];
  });
  return sortDiagnostics(found);
}
