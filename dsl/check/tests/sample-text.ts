/** Writes an example of a value of a type, for the hint of a script. */
import type { TypeIr } from "../../ir/ir.ts";
import { resolveType, type TypeTable } from "../../ir/types.ts";

/** A short value of a type, as a test says it. */
export function sampleText(type: TypeIr, types: TypeTable, depth = 0): string {
  const shape = depth > 3 ? undefined : resolveType(type, types);
  switch (shape?.kind) {
    case "literal":
      return JSON.stringify(shape.value);
    case "array":
      return `[${sampleText(shape.of, types, depth + 1)}]`;
    case "tuple":
      return `[${shape.types.map((one) => sampleText(one, types, depth + 1)).join(", ")}]`;
    case "union":
      return sampleText(shape.types[0] ?? ANYTHING, types, depth + 1);
    case "object": {
      const members = shape.members.filter(({ optional }) => !optional);
      const shown = members.map(
        ({ name, type: of }) => `${name}: ${sampleText(of, types, depth + 1)}`,
      );
      return shown.length === 0 ? "{}" : `{ ${shown.join(", ")} }`;
    }
    case "named":
      return SAMPLES[shape.name] ?? "null";
    case undefined:
      return "null";
  }
}

const ANYTHING: TypeIr = { kind: "literal", value: null };

const SAMPLES: Readonly<Record<string, string>> = {
  string: '"…"',
  number: "1.5",
  int: "1",
  boolean: "true",
  Record: "{}",
};
