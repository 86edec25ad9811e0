/** Finds the types of TypeScript that a text of graphs names. */
import { isProgram } from "../../../dsl/index.ts";
import type { ProgramNames } from "./program-names.ts";

/** A type that a program of graphs names and does not declare. */
export interface AskedType {
  readonly name: string;
  /** It as TypeScript: `import("./types.ts").Task`, or the name itself where an earlier cell declares it. */
  readonly text: string;
}

/** The types that only TypeScript can know: what the text imports from it, and what earlier cells declare. */
export function askedTypes(
  { ownTypes, imports, types }: ProgramNames,
  ofCells: ReadonlySet<string> = new Set(),
): readonly AskedType[] {
  const declared = new Set(ownTypes);
  const imported = new Map(imports.map((one) => [one.as, one]));
  return [...types.keys()].flatMap((name): readonly AskedType[] => {
    if (declared.has(name)) return [];
    const found = imported.get(name);
    if (found !== undefined) return isProgram(found.from) ? [] : [{ name, text: typeText(found) }];
    return ofCells.has(name) ? [{ name, text: name }] : [];
  });
}

/** Every name that means something in the program, or that it takes for a type. */
export function namesInProgram({
  imports,
  ownTypes,
  graphs,
  types,
}: ProgramNames): ReadonlySet<string> {
  const imported = imports.map(({ as }) => as);
  return new Set([...imported, ...ownTypes, ...graphs.keys(), ...types.keys()]);
}

/** Returns whether the text imports anything from TypeScript. */
export function importsTypeScript({ imports }: ProgramNames): boolean {
  return imports.some(({ from }) => !isProgram(from));
}

function typeText({ name, from }: { readonly name: string; readonly from: string }): string {
  return `import(${JSON.stringify(from)}).${name}`;
}
