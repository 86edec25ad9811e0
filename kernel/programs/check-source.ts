/** What the language and TypeScript say about a program's text. */
import {
  type Checked,
  type CheckOptions,
  check,
  type Diagnostic,
  type NamedType,
  type Source,
  sortDiagnostics,
} from "../../dsl/index.ts";
import type { ProgramTypes } from "../types/check-program.ts";
import { askedTypes, asksForTypes } from "../types/named/asked-types.ts";
import { typeFaults } from "../types/named/type-faults.ts";
import { programsBeside } from "./programs-beside.ts";

/** A program, and how to look at it. */
export interface SourceToCheck {
  readonly source: Source;
  /** Absolute: what it imports is looked for from there. */
  readonly path: string;
  readonly options?: CheckOptions;
  /**
   * `named`: of TypeScript only what the types are that the program names and does not declare. Most programs name none,
   * and need no compiler, which takes half a second to load. `asked`: every expression too, where there is a compiler
   * for that reason. `checked`: every expression. `never`: nothing.
   */
  readonly types: "never" | "named" | "asked" | "checked";
}

/** Checks a program; one with errors of types alone keeps its graphs out, too. */
export async function checkSource(of: SourceToCheck): Promise<Checked> {
  const { source, path } = of;
  const options = { programs: programsBeside(of).open, ...of.options };
  const isNeeded = of.types === "checked" || (of.types !== "never" && asksForTypes(source));
  if (!isNeeded) return check(source, { ...options, types: typesAtSight(source) });
  const types = (await openTypes()).typesOf({ source, path });
  const checked = withFaults(check(source, { ...options, types }), typeFaults(source, types));
  if (of.types === "named") return checked;
  // What the engine does not run yet has types all the same.
  const isNotYet = checked.diagnostics.some(({ code }) => code === "M4900");
  const sound = isNotYet ? check(source, { ...options, types, allowNotYet: true }) : checked;
  const { graphs, tests } = sound;
  if (graphs.length === 0 && tests.length === 0) return checked;
  const found = (await openTypes()).check({ source, path }, { graphs, tests, types });
  return withFaults(checked, found);
}

/** Without a compiler, a type of TypeScript may be anything: whether a model can be asked for it is not known. */
function typesAtSight(source: Source): readonly NamedType[] {
  const type = { kind: "named", name: "any", args: [] } as const;
  return askedTypes(source).map(({ name }) => ({ name, type }));
}

function withFaults(checked: Checked, found: readonly Diagnostic[]): Checked {
  const diagnostics = sortDiagnostics([...checked.diagnostics, ...found]);
  const isWrong = found.some(({ severity }) => severity === "error");
  return isWrong ? { ...checked, diagnostics, graphs: [] } : { ...checked, diagnostics };
}

let opened: Promise<ProgramTypes> | undefined;

/** One compiler a process, loaded when the first program needs it. */
function openTypes(): Promise<ProgramTypes> {
  opened ??= import("../types/check-program.ts").then((module) => module.openProgramTypes());
  return opened;
}
