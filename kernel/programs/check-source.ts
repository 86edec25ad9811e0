/** Checks a program's text with the language and with TypeScript. */
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import {
  type Checked,
  type CheckOptions,
  check,
  type Diagnostic,
  type NamedType,
  sortDiagnostics,
} from "../../dsl/index.ts";
import { EXIT } from "../exit-codes.ts";
import { askedTools } from "../types/named/asked-tools.ts";
import { askedTypes } from "../types/named/asked-types.ts";
import { apiTypes } from "../types/named/offered-types.ts";
import { type ProgramNames, readNames } from "../types/named/program-names.ts";
import type { ScopeModule } from "../types/named/scope-module.ts";
import { typeFaults } from "../types/named/type-faults.ts";
import { checkLabels } from "./check-labels.ts";
import { builtInNames, notLoaded } from "./load-scope.ts";
import { openTypes } from "./open-types.ts";
import { findSignatures } from "./program-tools.ts";
import { type PlacedSource, programsBeside } from "./programs-beside.ts";

/** A program, and how to look at it. */
export interface SourceToCheck extends PlacedSource {
  readonly options?: CheckOptions;
  /**
   * `checked`: every expression is checked by TypeScript. `named`: of TypeScript only what the types are that the program
   * names and does not declare; most programs name none. `never`: nothing.
   */
  readonly types: "never" | "named" | "checked";
  /** A file of TypeScript whose exports the program may name, too. */
  readonly scopeFile?: string | undefined;
}

/**
 * Returns the options for a program that may be given a scope file when it runs: an unknown name is
 * a warning.
 */
export function withoutScope(): CheckOptions {
  return { scope: builtInNames(), isScopeOpen: true };
}

/** Checks a program; one with errors of types alone keeps its graphs out, too. */
export async function checkSource(of: SourceToCheck): Promise<Checked> {
  const { source, path } = of;
  const scope = await scopeModule(of);
  const tools = of.types === "checked" ? await declaredTools(of, scope) : {};
  const offered = scope && { scope: [...builtInNames(), ...scope.names] };
  const { open: programs, apis, skills } = programsBeside(of);
  const options = { programs, apis, skills, ...tools, ...offered, ...of.options };
  const names = readNames(source);
  const program = { source, names, path };
  const isNeeded = of.types === "checked" || (of.types !== "never" && askedTypes(names).length > 0);
  if (!isNeeded) return check(source, { ...options, types: typesAtSight(names) });
  const types = (await openTypes()).typesOf(program);
  const checked = withFaults(check(source, { ...options, types }), typeFaults(program, types));
  if (of.types === "named") return checked;
  const { graphs, tests } = checked;
  if (graphs.length === 0 && tests.length === 0) return checked;
  const found = (await openTypes()).check(program, {
    ...{ graphs, tests, types, scope },
    apis: apiTypes(graphs, apis),
  });
  const labels = await checkLabels({ source, path, graphs, scope });
  return withFaults(checked, [...found, ...labels]);
}

/**
 * Returns the exports of the scope file by its types; the file does not run. Undefined without a
 * scope file; throws if it does not exist.
 */
async function scopeModule({ path, scopeFile }: SourceToCheck): Promise<ScopeModule | undefined> {
  if (scopeFile === undefined) return undefined;
  const file = resolve(scopeFile);
  if (!existsSync(file)) {
    const cause = new Error(`Cannot find module '${file}'`);
    throw notLoaded(scopeFile, { cause, exitCode: EXIT.call });
  }
  const from = relative(dirname(path), file);
  return (await openTypes()).scopeOf(path, from.startsWith(".") ? from : `./${from}`);
}

/** Finds tools of which a model is not told what they take or are for, by what TypeScript declares them as. */
async function declaredTools(
  { source, path }: SourceToCheck,
  scope: ScopeModule | undefined,
): Promise<Pick<CheckOptions, "toolFault" | "undescribed">> {
  const found = await findSignatures(path, askedTools(source, scope));
  const faulty = found.flatMap(({ name, signature: { fault }, hasInput }) =>
    fault === undefined || hasInput ? [] : [{ name, fault }],
  );
  const isFaulty = ({ name }: { readonly name: string }) => faulty.some((one) => one.name === name);
  const undescribed = found.filter((one) => !one.hasDescription && !isFaulty(one));
  const meant = <T extends { readonly name: string }>(
    tools: readonly T[],
    tool: readonly string[],
  ) => {
    const name = tool.join(".");
    const isMeant = (one: string) =>
      one === name || (name.endsWith("*") && one.startsWith(name.slice(0, -1)));
    return tools.find((one) => isMeant(one.name));
  };
  return {
    toolFault: (tool) => meant(faulty, tool),
    undescribed: (tool) => meant(undescribed, tool)?.name,
  };
}

/** Without a compiler, a type of TypeScript may be anything: whether a model can be asked for it is not known. */
function typesAtSight(names: ProgramNames): readonly NamedType[] {
  const type = { kind: "named", name: "any", args: [] } as const;
  return askedTypes(names).map(({ name }) => ({ name, type }));
}

function withFaults(checked: Checked, found: readonly Diagnostic[]): Checked {
  const diagnostics = sortDiagnostics([...checked.diagnostics, ...found]);
  const isWrong = found.some(({ severity }) => severity === "error");
  return isWrong ? { ...checked, diagnostics, graphs: [] } : { ...checked, diagnostics };
}
